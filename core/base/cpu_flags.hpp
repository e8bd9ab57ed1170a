// The instruction sets of this machine's processor.
#pragma once
#include <set>
#include <string>

namespace levin::core {

// As Linux names them: "avx2", "avx512f".
using CpuFlags = std::set<std::string>;

// cpuinfo: the text of /proc/cpuinfo. Empty if it says nothing of them.
CpuFlags cpu_flags_of(const std::string& cpuinfo);
// Of this machine.
CpuFlags cpu_flags();

}  // namespace levin::core
