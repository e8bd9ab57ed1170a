// Checks the trials of a sweep before the first one starts, with the host's own checks of options.
#pragma once
#include "sweep/driver/settings.hpp"

namespace levin::core::sweep {

// Sets what depends on the options of the trials: where their folders are, and the number of epochs. Throws the host's
// Error for an option or a value that it refuses, and Error{usage}.
void check_sweep(SweepSettings& settings);

// The words that set these values: "--model.lr=0.1".
std::vector<std::string> value_words(const std::vector<Parameter>& parameters, const Assignment& values);

}  // namespace levin::core::sweep
