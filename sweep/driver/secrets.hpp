// Values of options that plugins declare secret. They are passed to the trials, and no file of the sweep has them.
#pragma once
#include <string>
#include <vector>

#include "sweep/driver/settings.hpp"

namespace levin::core::sweep {

// Moves secrets out of the command. `origins` are those of CheckedFit. Throws Error{usage} for a secret that varies,
// and for one in a file, because a trial that continues takes it only as an option.
void take_secrets(SweepSettings& settings, const std::vector<std::string>& origins);

// Adds the secrets of a sweep that goes on. Throws Error{usage} if one is missing, and for any other word.
void give_secrets(SweepSettings& settings, std::vector<std::string> words);

}  // namespace levin::core::sweep
