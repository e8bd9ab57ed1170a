#include "core/base/machine.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/text.hpp"

namespace levin::core {

double memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

std::string gibibytes(double bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f GiB", bytes / 1073741824);
  return text;
}

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

CpuFlags cpu_flags_of(std::istream& cpuinfo) {
  CpuFlags flags;
  for (std::string line; flags.empty() && std::getline(cpuinfo, line);) {
    const bool has_them = starts_with(line, "flags") || starts_with(line, "Features");  // x86, ARM
    if (!has_them || line.find(':') == std::string::npos) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    flags.insert(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return flags;
}

CpuFlags cpu_flags() {
  std::ifstream file("/proc/cpuinfo");
  return cpu_flags_of(file);
}

}  // namespace levin::core
