// A part of a file of torch.save as plain values, with its tensors aside.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/weights/torch_file.hpp"

namespace levin::core {

struct TorchTree {
  nlohmann::json values;                    // null for what is no plain value, and where a tensor is
  std::map<std::string, uint32_t> tensors;  // "0/state/3/exp_avg" -> the value of the file's pickle
};

// Keys that are whole numbers become their digits. Numbers may be infinite or NaN. Throws std::runtime_error if the
// value is nested in a circle, or larger than such a file has any reason to be.
TorchTree torch_tree(const TorchFile& file, uint32_t value);

}  // namespace levin::core
