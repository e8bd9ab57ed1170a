// The machine that this process runs on.
#pragma once
#include <unistd.h>

namespace levin::core {

// Its memory in bytes; 0 if the system does not say.
inline double memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

}  // namespace levin::core
