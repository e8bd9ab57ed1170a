// Signals while the host makes a run ready: it reads options and asks plugins, which takes seconds when they are new.
#pragma once

namespace levin::core {

// From now on a signal that asks a run to stop ends the process, with the code of a run that has not begun. One that
// the process was started to ignore stays ignored. The engine that this process becomes handles them itself.
void end_on_stop_signals();

}  // namespace levin::core
