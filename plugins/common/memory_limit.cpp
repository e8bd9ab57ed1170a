#include "memory_limit.hpp"

#include <unistd.h>

#include "levin/error.hpp"

namespace common {
namespace {

// Returns the size of the machine's memory; 0 = unknown.
double memory() { return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE)); }

}  // namespace

bool fits_into_memory(uint64_t bytes) { return memory() <= 0 || static_cast<double>(bytes) <= memory(); }

void check_memory(uint64_t bytes, const std::string& path) {
  if (fits_into_memory(bytes)) return;
  throw levin::Error(LEVIN_E_IO, path + " holds " + std::to_string(bytes >> 20) +
                                     " MiB of data by its header, and this machine has " +
                                     std::to_string(static_cast<uint64_t>(memory()) >> 20) + " MiB of memory");
}

}  // namespace common
