// CPU and memory usage of the machine, read from Linux's /proc and computed as in psutil.
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
// stat: the text of /proc/stat. Returns nullopt if it has no line "cpu".
std::optional<CpuTimes> parse_cpu_times(const std::string& stat);
// Returns the busy time in percent of the time between the two; 0 if no time has passed.
double busy_percent(const CpuTimes& before, const CpuTimes& after);

// Returns cpu_vm_percent (memory that is not available to programs) and cpu_swap_percent (swap in use). meminfo: the
// text of /proc/meminfo. A metric whose lines are missing there is left out.
Stats memory_stats(const std::string& meminfo);

}  // namespace levin::device_stats_monitor
