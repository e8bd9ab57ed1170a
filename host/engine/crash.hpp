// What a crash says: the signal, the plugin that ran, and where the run's files are.
#pragma once
#include <string>

namespace levin::core {

// From now on a fatal signal or std::terminate names the plugin and ends the process with exit code 70.
void install_crash_handler();

}  // namespace levin::core
