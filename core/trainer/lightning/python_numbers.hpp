// Which parameters are meant by the numbers that Python's optimizers save their states under.
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
  std::vector<std::string> parameters;  // those that the model has too, by its names, in the order of the file
  NameMap map;                          // from the file's names to the model's
};

// number -> name. Throws std::runtime_error where that is not certain.
std::map<int64_t, std::string> names_of_numbers(const PythonOptimizerState& saved,
                                                const std::vector<ParamGroup>& groups, const NamesOfFile& names);

}  // namespace levin::core
