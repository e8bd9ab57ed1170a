#include "core/base/cpu_flags.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/text.hpp"

namespace levin::core {

CpuFlags cpu_flags_of(const std::string& cpuinfo) {
  CpuFlags flags;
  std::istringstream text(cpuinfo);
  for (std::string line; flags.empty() && std::getline(text, line);) {
    const bool has_them = starts_with(line, "flags") || starts_with(line, "Features");  // x86, ARM
    if (!has_them || line.find(':') == std::string::npos) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    flags.insert(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return flags;
}

CpuFlags cpu_flags() {
  std::ifstream file("/proc/cpuinfo");
  return cpu_flags_of({std::istreambuf_iterator<char>(file), {}});
}

}  // namespace levin::core
