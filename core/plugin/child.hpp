// Runs a program and waits until it ends, crashes or reaches its timeout.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace levin::core {

struct ChildResult {
  int exit_code = -1;      // -1 if it did not exit by itself
  int signal = 0;          // the signal that ended it, or 0
  bool timed_out = false;  // it took too long and was killed
  std::string out, err;    // all of its stdout and the last 4 KiB of its stderr
};

// own: this process's variables, with one thread for numbers. same: exactly this process's variables. bare: of these
// only what programs need to start and to speak the user's language, so that a program nobody has looked at sees no
// keys and names of others.
enum class ChildEnvironment { own, same, bare };

// Runs the program without a shell, without standard input and without core dumps. Throws Error{internal} if it cannot
// be started.
ChildResult run_child(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                      ChildEnvironment environment = ChildEnvironment::own);

std::string signal_name(int signal);  // "SIGSEGV"

}  // namespace levin::core
