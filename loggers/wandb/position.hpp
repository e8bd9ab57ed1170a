// Where the log of a run is.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace levin::wandb {

using Json = nlohmann::ordered_json;

// Returns one line; bytes that are no UTF-8 are replaced.
inline std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// The state of the log at a checkpoint.
struct Position {
  std::string folder, id;  // of the run, below the folder wandb
  double start_time = 0;
  uint64_t bytes = 0;
  int64_t records = 0, rows = 0;
  std::map<std::string, std::string> summary;  // the last value of each metric, as JSON
};

std::string to_json(const Position& p);
// Returns nullopt for "". Throws Error{LEVIN_E_STATE} for a text that to_json() has not made.
std::optional<Position> position_of(const std::string& text);

}  // namespace levin::wandb
