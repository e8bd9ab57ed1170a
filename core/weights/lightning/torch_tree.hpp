// A part of a torch.save file as plain values, with its tensors listed separately.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/weights/torch_file.hpp"

namespace levin::core {

struct TorchTree {
  nlohmann::json values;                    // null in place of tensors, and of values that are not plain
  std::map<std::string, uint32_t> tensors;  // e.g. "0/state/3/exp_avg" -> index of the value in the file's pickle
};

// Integer keys become their digits. Numbers may be infinite or NaN. Throws std::runtime_error if the value contains
// itself, or is larger than plausible for such a file.
TorchTree torch_tree(const TorchFile& file, uint32_t value);

}  // namespace levin::core
