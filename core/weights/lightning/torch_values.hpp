// Writes plain values and tensors in the format of torch.save; the inverse of torch_tree().
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/weights/state_dict_writer.hpp"
#include "core/weights/stored_tensor.hpp"

namespace levin::core {

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
