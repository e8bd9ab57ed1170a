// What every thread is doing in a plugin, for other threads and for signal handlers: who hangs, and for how long.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "core/abi/breadcrumb.hpp"
#include "core/base/emergency_output.hpp"

namespace levin::core {

struct RunningCall {
  char plugin[128], instance[64], call[64];  // shortened; plugin "": the host waits for another thread
  pid_t thread;
  uint64_t number;  // of the call, counted by its thread
  double seconds;   // since it began

  bool of_plugin() const { return plugin[0] != 0; }
};

// Copies the calls that run now, one a thread, the longest first, and returns their number. Takes no lock that could
// stop it: a thread that is just entering or leaving a call may be missing. Safe in a signal handler.
size_t running_calls(RunningCall* out, size_t most) noexcept;

// Adds "plugin libx.so has been in rows.fill for 12 s".
void add_call(EmergencyOutput& line, const RunningCall& call);

}  // namespace levin::core
