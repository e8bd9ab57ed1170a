// The instruction sets of this machine's processor.
#pragma once
#include <set>
#include <string>

namespace levin::core {

// Linux's names: "avx2", "avx512f".
using CpuFlags = std::set<std::string>;

// cpuinfo: the text of /proc/cpuinfo. Returns an empty set if it has no flags.
CpuFlags cpu_flags_of(const std::string& cpuinfo);
// Returns this machine's flags.
CpuFlags cpu_flags();

}  // namespace levin::core
