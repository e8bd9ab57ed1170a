// The machine that this process runs on.
#pragma once
#include <istream>
#include <set>
#include <string>

namespace levin::core {

// Returns the machine's memory in bytes; 0 = unknown.
double memory_of_machine();
std::string gibibytes(double bytes);  // "1.5 GiB"

// The processor's instruction sets by Linux's names: "avx2", "avx512f".
using CpuFlags = std::set<std::string>;
CpuFlags cpu_flags();
// cpuinfo: the text of /proc/cpuinfo; read up to the flags of the first processor, because the file is slow where there
// are many. Returns an empty set if it has no flags.
CpuFlags cpu_flags_of(std::istream& cpuinfo);

std::string host_name();

}  // namespace levin::core
