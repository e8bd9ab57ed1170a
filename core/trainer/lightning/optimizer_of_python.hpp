// Converts the state of a Python optimizer to that of an Optimizer.
#pragma once
#include "core/optim/optimizers/optimizer.hpp"
#include "core/trainer/lightning/python_numbers.hpp"

namespace levin::core {

// Returns the state for Optimizer::load_state_dict. Throws std::runtime_error that says what does not fit; nothing is
// changed then.
OptimizerState optimizer_of_python(Optimizer& optimizer, const PythonOptimizerState& saved, const NamesOfFile& names);

}  // namespace levin::core
