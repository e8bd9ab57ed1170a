// The state of an optimizer in the form of torch.optim's state_dict: parameters are numbers, assigned group by group.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/weights/stored_tensor.hpp"
#include "lightning/file/lightning_checkpoint.hpp"

namespace levin::core {

struct PythonGroup {
  nlohmann::json options;                // without the parameters
  std::vector<int64_t> params;           // the parameters' numbers
  std::vector<std::string> param_names;  // written by PyTorch since 2.6 if the optimizer got them; else empty
};

struct PythonParamState {
  std::optional<int64_t> steps;
  std::map<std::string, StoredTensor> slots;  // e.g. "exp_avg"
};

struct PythonOptimizerState {
  std::vector<PythonGroup> groups;
  std::map<int64_t, PythonParamState> params;  // parameters that have been stepped
};

// The file must outlive the result. Throws Error{checkpoint} for content that torch.optim does not write.
std::vector<PythonOptimizerState> optimizer_states(const LightningCheckpoint& file);

// An optimizer with the same steps, options and state names as in Python: torch.optim's, and Lion of its authors.
struct PythonOptimizer {
  const char* id;     // this program's id
  bool counts_steps;  // per parameter, under "step"
  struct Slot {
    const char* name;
    const char* option;   // a stepped parameter has this state if the option is not 0; "" = always
    bool scalar = false;  // one number, and not of the parameter's shape
  };
  std::vector<Slot> slots;
};
const PythonOptimizer* python_optimizer(const std::string& id);  // nullptr = none

}  // namespace levin::core
