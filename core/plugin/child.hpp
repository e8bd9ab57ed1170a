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

// The environment of the child. own: this process's variables, with the number of compute threads set to one. same:
// exactly this process's variables. bare: only the variables that programs need to start and to use the user's
// language, so that unchecked code sees no keys and other private values.
enum class ChildEnvironment { own, same, bare };

// Runs the program without a shell, without standard input and without core dumps. Throws Error{internal} if it cannot
// be started.
ChildResult run_child(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                      ChildEnvironment environment = ChildEnvironment::own);

std::string signal_name(int signal);  // "SIGSEGV"

}  // namespace levin::core
