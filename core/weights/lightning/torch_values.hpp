// Writes plain values and tensors as torch.save does: the other way than torch_tree().
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
  // In place of null at such a place: "optimizer_states/0/state/3/exp_avg".
  std::map<std::string, StoredTensor> tensors;
  std::vector<std::string> order;  // of the members of "state_dict"
};

// The keys of an object that is called "state" are numbers in Python. Throws Error{checkpoint} that begins with the
// path.
void write_torch_values(const std::string& path, const TorchValues& values);

}  // namespace levin::core
