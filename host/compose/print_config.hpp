// The resolved configuration as a file that --config takes, with a comment on where each value came from.
#pragma once
#include <string>

#include "host/compose/run_builder.hpp"

namespace levin::core {

std::string print_config(const BuiltRun& run);

}  // namespace levin::core
