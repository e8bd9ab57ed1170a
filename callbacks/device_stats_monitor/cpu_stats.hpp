// How busy the machine's processors and memory are, from Linux's /proc, as psutil counts it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levin::device_stats_monitor {

using Stats = std::vector<std::pair<std::string, double>>;

// Ticks of all processors since the machine started.
struct CpuTimes {
  uint64_t busy = 0, all = 0;
};
// stat: the text of /proc/stat. nullopt where it has no line "cpu".
std::optional<CpuTimes> parse_cpu_times(const std::string& stat);
// Percent of the time between the two; 0 where no time has passed.
double busy_percent(const CpuTimes& before, const CpuTimes& after);

// cpu_vm_percent and cpu_swap_percent: memory that is not available to programs, and swap in use. meminfo: the text of
// /proc/meminfo; what it does not say is left out.
Stats memory_stats(const std::string& meminfo);

}  // namespace levin::device_stats_monitor
