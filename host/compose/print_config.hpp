// Returns the resolved configuration as a file for --config, with a comment on the origin of each value.
#pragma once
#include <string>

#include "host/compose/run_builder.hpp"

namespace levin::core {

std::string print_config(const BuiltRun& run);

}  // namespace levin::core
