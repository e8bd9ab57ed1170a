// Runs a command whose file system calls, including those of its child processes, wait for permission.
#pragma once
#include <linux/seccomp.h>

#include <functional>
#include <string>
#include <vector>

namespace levin::reliability {

struct Answer {
  int error = 0;         // errno with which the call fails without being made; 0 = make the call
  bool done = false;     // the call was already made on its behalf, with this result
  long long result = 0;  // used if `done`
};

// Runs the command until it ends; calls `ask` before each call. Returns its exit status, or 128 + N if signal N ended
// it. Throws std::runtime_error if the system has no seccomp notifications (Linux 5.5).
int run_watched(const std::vector<std::string>& command, const std::function<Answer(const seccomp_notif&)>& ask);

}  // namespace levin::reliability
