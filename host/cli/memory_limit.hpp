// Limits on memory under which LibTorch cannot compute.
#pragma once
#include <string>

namespace levin::core {

// Where the address space is limited (ulimit -v), lets the engine multiply two matrices in a child with a time limit:
// OpenBLAS waits for ever for memory that it does not get. Throws Error{run} that names the limit if that fails.
void check_memory_limit(const std::string& engine);

}  // namespace levin::core
