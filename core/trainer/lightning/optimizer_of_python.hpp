// The state of Python's optimizer as one of ours takes it.
#pragma once
#include "core/optim/optimizers/optimizer.hpp"
#include "core/trainer/lightning/python_numbers.hpp"

namespace levin::core {

// For Optimizer::load_state_dict. Throws std::runtime_error that says what does not fit; nothing has changed then.
OptimizerState optimizer_of_python(Optimizer& optimizer, const PythonOptimizerState& saved, const NamesOfFile& names);

}  // namespace levin::core
