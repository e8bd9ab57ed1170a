// What the programs of this room share.
#pragma once
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"

namespace levin::core::sweep {

// Calls `run` with the arguments and reports errors as the host does. Returns the exit code.
inline int run_program(int (*run)(const std::vector<std::string>& words), int argc, char** argv) {
  try {
    const int code = run({argv + 1, argv + argc});
    return std::fflush(stdout) == 0 ? code : static_cast<int>(ErrorKind::run);
  } catch (const Error& e) {
    std::fflush(stdout);
    print_message("error", e.what());
    return e.exit_code();
  } catch (const std::exception& e) {
    std::fflush(stdout);
    print_message("error", std::string("an internal error of ") + argv[0] + ": " + e.what());
    return static_cast<int>(ErrorKind::internal);
  }
}

}  // namespace levin::core::sweep
