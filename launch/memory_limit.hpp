// Detects memory limits under which LibTorch cannot compute.
#pragma once
#include <string>

namespace levin::core {

// If the address space is limited (ulimit -v), runs a matrix product in a child engine with a time limit, because
// OpenBLAS waits forever for memory that it cannot get. Throws Error{run} with the limit if that fails.
void check_memory_limit(const std::string& engine);

}  // namespace levin::core
