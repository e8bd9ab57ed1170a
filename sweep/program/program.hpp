// What the programs of this room share.
#pragma once
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error_line.hpp"

namespace levin::core::sweep {

// Calls `run` with the arguments and reports errors as the host does. Returns the exit code.
inline int run_program(int (*run)(const std::vector<std::string>& words), int argc, char** argv) {
  try {
    const int code = run({argv + 1, argv + argc});
    return std::fflush(stdout) == 0 ? code : static_cast<int>(ErrorKind::run);
  } catch (const std::exception& e) {
    return report_error(e, argv[0]);
  }
}

}  // namespace levin::core::sweep
