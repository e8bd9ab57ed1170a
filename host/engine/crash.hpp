// What a crash says: the signal, the plugin that ran, and where the run's files are.
#pragma once
#include <string>

namespace levin::core {

// From now on a fatal signal or std::terminate names the plugin and ends the process with exit code 70.
// A call of exit() ends it with exit code 1, in the same way.
void install_crash_handler();
// Handlers of exit run the latest first: after plugins are loaded this puts ours in front of theirs again.
void guard_exit();

}  // namespace levin::core
