// Media of a run as Weights & Biases stores them: a JSON value in the history, and for some a file beside it.
#pragma once
#include <optional>
#include <string>

#include "levin/logger.hpp"

namespace levin::wandb {

struct MediaValue {
  std::string json;
  std::string path, file;  // path in the folder `files` of the run, and content; "" = no file
};

// row: the number of the row in the history, which makes the path unique. Returns nullopt for kinds without a form
// here. Throws Error{LEVIN_E_INVALID} for a malformed value.
std::optional<MediaValue> media_value(const levin_media& media, int64_t row);

}  // namespace levin::wandb
