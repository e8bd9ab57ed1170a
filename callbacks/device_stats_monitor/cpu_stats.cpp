#include "cpu_stats.hpp"

#include <map>
#include <sstream>

namespace levin::device_stats_monitor {

std::optional<CpuTimes> parse_cpu_times(const std::string& stat) {
  std::istringstream line(stat);
  std::string name;
  if (!(line >> name) || name != "cpu") return std::nullopt;
  CpuTimes times;
  uint64_t ticks = 0;
  // user, nice, system, idle, iowait, irq, softirq, steal; user and nice include guest time.
  for (int field = 0; field < 8 && line >> ticks; ++field) {
    times.all += ticks;
    if (field != 3 && field != 4) times.busy += ticks;
  }
  return times;
}

double busy_percent(const CpuTimes& before, const CpuTimes& after) {
  if (after.all <= before.all || after.busy < before.busy) return 0;
  return 100.0 * static_cast<double>(after.busy - before.busy) / static_cast<double>(after.all - before.all);
}

Stats memory_stats(const std::string& meminfo) {
  std::map<std::string, double> kilobytes;
  std::istringstream lines(meminfo);
  std::string line;
  while (std::getline(lines, line)) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos) std::istringstream(line.substr(colon + 1)) >> kilobytes[line.substr(0, colon)];
  }
  Stats stats;
  const auto add = [&](const char* name, const char* total, const char* free) {
    if (!kilobytes.count(total) || !kilobytes.count(free)) return;
    const double all = kilobytes[total];
    stats.emplace_back(name, all > 0 ? 100 * (all - kilobytes[free]) / all : 0.0);
  };
  add("cpu_vm_percent", "MemTotal", "MemAvailable");
  add("cpu_swap_percent", "SwapTotal", "SwapFree");
  return stats;
}

}  // namespace levin::device_stats_monitor
