// Limits on what a small file may expand to.
#pragma once
#include <cstdint>
#include <string>

namespace common {

// The maximum compression ratio of deflate. A file that claims more is refused before memory is allocated.
constexpr uint64_t max_compression = 1032;

// Returns false if the machine has less memory than this.
bool fits_into_memory(uint64_t bytes);

// Throws levin::Error if data of this size, which the header of `path` promises, does not fit into memory.
void check_memory(uint64_t bytes, const std::string& path);

}  // namespace common
