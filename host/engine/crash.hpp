// Crash handling. The last line of a crash names the signal, the running plugin, and how to resume.
#pragma once
#include <string>

namespace levin::core {

// From now on a fatal signal or std::terminate prints that line and ends the process with exit code 70. A call of
// exit() or _exit() does the same with exit code 1.
void install_crash_handler();
[[noreturn]] void end_on_exit_call(const char* call);
// Registers the handler for exit() again. The latest handler runs first, so call this after plugins have been loaded,
// which may have registered handlers of their own.
void guard_exit();
// From now on the line is also written to the log of this run folder, and says how to resume if the folder has a
// checkpoint.
void name_run_folder(const std::string& folder);

}  // namespace levin::core
