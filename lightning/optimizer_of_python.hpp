// Converts the state of a Python optimizer to that of an Optimizer.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/optim/optimizers/optimizer.hpp"
#include "core/weights/name_map.hpp"
#include "lightning/file/python_optimizer.hpp"

namespace levin::core {

struct NamesOfFile {
  std::vector<std::string> parameters;  // the ones also in the model, by its names, in the file's order
  NameMap map;                          // from the file's names to the model's
};

// Returns a map from the numbers under which Python's optimizers save their states to parameter names. Throws
// std::runtime_error if the mapping is not certain.
std::map<int64_t, std::string> names_of_numbers(const PythonOptimizerState& saved,
                                                const std::vector<ParamGroup>& groups, const NamesOfFile& names);

// Returns the state for Optimizer::load_state_dict. Throws std::runtime_error that says what does not fit; nothing is
// changed then.
OptimizerState optimizer_of_python(Optimizer& optimizer, const PythonOptimizerState& saved, const NamesOfFile& names);

}  // namespace levin::core
