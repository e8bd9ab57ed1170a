// The machine that this process runs on.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>

namespace levin::core {

// Returns the machine's memory in bytes; 0 = unknown.
inline double memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

// "1.5 GiB"
inline std::string gibibytes(double bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f GiB", bytes / 1073741824);
  return text;
}

inline std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace levin::core
