// The state of an optimizer as torch.optim's state_dict has it: parameters are numbers, given out group by group.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/weights/lightning/lightning_checkpoint.hpp"
#include "core/weights/stored_tensor.hpp"

namespace levin::core {

struct PythonGroup {
  nlohmann::json options;                // all but the parameters
  std::vector<int64_t> params;           // their numbers
  std::vector<std::string> param_names;  // of PyTorch since 2.6, if the optimizer was given them; else empty
};

struct PythonParamState {
  std::optional<int64_t> steps;
  std::map<std::string, StoredTensor> slots;  // "exp_avg"
};

struct PythonOptimizerState {
  std::vector<PythonGroup> groups;
  std::map<int64_t, PythonParamState> params;  // those that have been stepped
};

// The file must outlive them. Throws Error{checkpoint} for what is not what torch.optim writes.
std::vector<PythonOptimizerState> optimizer_states(const LightningCheckpoint& file);

// An optimizer whose steps are those of Python's: the names of its options and states are the same.
struct PythonOptimizer {
  const char* id;     // of ours
  bool counts_steps;  // for each parameter, under "step"
  struct Slot {
    const char* name;
    const char* option;  // a parameter that was stepped has this state where the option is not 0; "": always
  };
  std::vector<Slot> slots;
};
const PythonOptimizer* python_optimizer(const std::string& id);  // nullptr if there is none

}  // namespace levin::core
