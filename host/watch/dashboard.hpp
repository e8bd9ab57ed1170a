// The dashboard of --progress dashboard: this process keeps the terminal, and a child process does the run.
//
// The child writes to a terminal of its own, so that nothing that it or its plugins print reaches the screen. Whatever
// ends it, this process is there to restore the terminal and to print what the run has written. LEVIN_DASHBOARD names
// the socket on which the progress bar of rank 0 says how far the run is.
#pragma once
#include <optional>

namespace levin::core {

// Returns nullopt in the process that has to do the run: the child, or this process if there is no terminal to draw on.
// Otherwise shows the dashboard until the child has ended, and returns the child's exit code; ends this process by the
// child's signal.
std::optional<int> run_under_dashboard();

}  // namespace levin::core
