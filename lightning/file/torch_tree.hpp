// Parts of a torch.save file as plain values, with the tensors listed separately.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/weights/stored_tensor.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {

struct TorchTree {
  nlohmann::json values;                    // null in place of tensors, and of values that are not plain
  std::map<std::string, uint32_t> tensors;  // e.g. "0/state/3/exp_avg" -> index of the value in the file's pickle
};

// Integer keys become their digits. Numbers may be infinite or NaN. Throws std::runtime_error if the value contains
// itself, or is larger than plausible for such a file.
TorchTree torch_tree(const TorchFile& file, uint32_t value);

// For writing, the inverse.
struct TorchValues {
  nlohmann::json values;
  // Replace null at their places, such as "optimizer_states/0/state/3/exp_avg".
  std::map<std::string, StoredTensor> tensors;
  std::vector<std::string> order;  // order of the members of "state_dict"
};

// The keys of an object named "state" become numbers in Python. Throws Error{checkpoint}, whose message begins with the
// path.
void write_torch_values(const std::string& path, const TorchValues& values);

}  // namespace levin::core
