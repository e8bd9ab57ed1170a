// Running a program and waiting for it, whatever becomes of it.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace levin::core {

struct ChildResult {
  int exit_code = -1;      // -1: it did not exit by itself
  int signal = 0;          // that ended it
  bool timed_out = false;  // and was killed
  std::string out, err;    // stdout, and the last of stderr
};

// Without shell and standard input; no core dumps. Throws Error{internal} if it cannot be run.
ChildResult run_child(const std::vector<std::string>& command, std::chrono::milliseconds timeout);

std::string signal_name(int signal);  // "SIGSEGV"

}  // namespace levin::core
