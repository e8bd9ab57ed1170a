// Maps the numbers under which Python's optimizers save their states to parameters.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/optim/optimizers/optimizer.hpp"
#include "core/weights/lightning/python_optimizer.hpp"
#include "core/weights/name_map.hpp"

namespace levin::core {

struct NamesOfFile {
  std::vector<std::string> parameters;  // the ones also in the model, by its names, in the file's order
  NameMap map;                          // from the file's names to the model's
};

// Returns a map from number to name. Throws std::runtime_error if the mapping is not certain.
std::map<int64_t, std::string> names_of_numbers(const PythonOptimizerState& saved,
                                                const std::vector<ParamGroup>& groups, const NamesOfFile& names);

}  // namespace levin::core
