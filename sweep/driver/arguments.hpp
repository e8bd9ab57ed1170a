// The command line of `host sweep`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sweep/driver/settings.hpp"

namespace levin::core::sweep {

struct SweepArguments {
  std::string verb;  // "" = run, else status, best or report
  bool json = false;
  std::optional<SweepFolder> folder;  // of the verb, or of the sweep that goes on
  SweepSettings settings;             // not for the verbs
};

// Throws Error{usage}.
SweepArguments read_sweep_arguments(const std::vector<std::string>& words);

}  // namespace levin::core::sweep
