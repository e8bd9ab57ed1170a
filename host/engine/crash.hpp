// What a crash says, as the last line: the signal, the plugin that ran, and how to go on.
#pragma once
#include <string>

namespace levin::core {

// From now on a fatal signal or std::terminate names the plugin and ends the process with exit code 70.
// A call of exit() or _exit() ends it with exit code 1, in the same way.
void install_crash_handler();
[[noreturn]] void end_on_exit_call(const char* call);
// Handlers of exit run the latest first: after plugins are loaded this puts ours in front of theirs again.
void guard_exit();
// The line also goes to the log of this run folder, and says how to resume where there is a checkpoint in it.
void name_run_folder(const std::string& folder);

}  // namespace levin::core
