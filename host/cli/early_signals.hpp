// Signal handling while the host prepares a run. Reading options and loading new plugins can take seconds.
#pragma once

namespace levin::core {

// After this call a stop signal ends the process with the exit code of a run that has not begun. Signals that were
// ignored when the process started stay ignored. The engine, which replaces this process, installs its own handlers.
void end_on_stop_signals();

}  // namespace levin::core
