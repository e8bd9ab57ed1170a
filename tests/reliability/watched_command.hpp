// A command whose file system calls, and those of the processes it starts, wait for an answer before they are made.
#pragma once
#include <linux/seccomp.h>

#include <functional>
#include <string>
#include <vector>

namespace levin::reliability {

struct Answer {
  int error = 0;         // an errno: the call is not made and fails with it; 0: the call is made
  bool done = false;     // the call was made for it, with this result
  long long result = 0;  // of `done`
};

// Runs the command until it has ended, and asks before each call. Returns its exit status, 128 + N if signal N ended
// it. Throws std::runtime_error where the system has no seccomp notifications (Linux 5.5).
int run_watched(const std::vector<std::string>& command, const std::function<Answer(const seccomp_notif&)>& ask);

}  // namespace levin::reliability
