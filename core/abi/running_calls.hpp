// The plugin calls that run now on all threads. Other threads and signal handlers read them to report which call hangs,
// and for how long.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "core/abi/breadcrumb.hpp"
#include "core/base/emergency_output.hpp"

namespace levin::core {

struct RunningCall {
  char plugin[128], instance[64], call[64];  // shortened; plugin "" = the host waits for another thread
  pid_t thread;
  uint64_t number;  // number of the call on its thread
  double seconds;   // time since the call began

  bool of_plugin() const { return plugin[0] != 0; }
};

// Copies the running calls (at most one per thread), longest-running first, and returns their number. Never blocks: a
// thread that is just entering or leaving a call may be missing. Safe in a signal handler.
size_t running_calls(RunningCall* out, size_t most) noexcept;

// Appends "plugin libx.so has been in rows.fill for 12 s" to the line.
void add_call(EmergencyOutput& line, const RunningCall& call);

}  // namespace levin::core
