#include "memory_limit.hpp"

#include <unistd.h>

#include "levin/error.hpp"

namespace common {

void check_memory(uint64_t bytes, const std::string& path) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  const double memory = static_cast<double>(pages) * static_cast<double>(size);
  if (memory <= 0 || static_cast<double>(bytes) <= memory) return;
  throw levin::Error(LEVIN_E_IO, path + " holds " + std::to_string(bytes >> 20) +
                                     " MiB of data by its header, and this machine has " +
                                     std::to_string(static_cast<uint64_t>(memory) >> 20) + " MiB of memory");
}

}  // namespace common
