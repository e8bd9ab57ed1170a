// Logs device statistics at the start and end of batches: GPU memory, and the machine's CPU, memory and swap usage.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "cpu_stats.hpp"
#include "levin/callback.hpp"
#include "levin/util/text.hpp"

namespace levin::device_stats_monitor {
namespace {

std::string file_text(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Splits a comma-separated list and removes blanks; an empty result means all.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

class DeviceStatsMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      with(flag("cpu_stats", "null",
                "also log processors and memory of the machine; null = only when training on the CPU"),
           LEVIN_OPT_NULLABLE),
      text("filter_keys", "\"\"", "comma-separated statistics to log: cpu_percent, memory_used ...; empty = all"),
  };

  explicit DeviceStatsMonitor(const Args& args) : keys_(names_in(args.text("filter_keys"))) {
    if (!args.is_null("cpu_stats")) cpu_stats_ = args.flag("cpu_stats");
  }

  void on_fit_start() { last_ = parse_cpu_times(file_text("/proc/stat")); }
  void on_train_batch_start(const Event& event) { log(event, "on_train_batch_start"); }
  void on_train_batch_end(const Event& event) { log(event, "on_train_batch_end"); }
  void on_validation_batch_start(const Event& event) { log(event, "on_validation_batch_start"); }
  void on_validation_batch_end(const Event& event) { log(event, "on_validation_batch_end"); }
  void on_test_batch_start(const Event& event) { log(event, "on_test_batch_start"); }
  void on_test_batch_end(const Event& event) { log(event, "on_test_batch_end"); }

 private:
  void log(const Event& event, const char* hook) {
    const Run run = event.run();
    if (run.sanity_checking() || !run.should_update_logs()) return;
    Stats stats;
    for (const auto& [name, value] : all_stats(run))
      if (keys_.empty() || std::find(keys_.begin(), keys_.end(), name) != keys_.end())
        stats.emplace_back(std::string("DeviceStatsMonitor.") + hook + "/" + name, value);
    if (!stats.empty()) run.log_now(run.batches_that_stepped(), stats);
  }

  Stats all_stats(const Run& run) {
    levin_device device{};
    if (run.devices().current(run.raw(), &device) != LEVIN_OK) return {};
    const bool on_cpu = device.type == LEVIN_CPU;
    Stats stats;
    if (!on_cpu) {
      if (const auto memory = run.memory())
        stats = {{"memory_used", static_cast<double>(memory->used)},
                 {"memory_total", static_cast<double>(memory->total)}};
    }
    if (!cpu_stats_.value_or(on_cpu)) return stats;
    if (const auto now = parse_cpu_times(file_text("/proc/stat"))) {
      stats.emplace_back("cpu_percent", last_ ? busy_percent(*last_, *now) : 0);
      last_ = now;
    }
    for (auto& stat : memory_stats(file_text("/proc/meminfo"))) stats.push_back(std::move(stat));
    return stats;
  }

  std::optional<bool> cpu_stats_;
  std::vector<std::string> keys_;
  std::optional<CpuTimes> last_;
};

}  // namespace
}  // namespace levin::device_stats_monitor

LEVIN_PLUGIN("levin.device_stats_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::device_stats_monitor::DeviceStatsMonitor>(
                 "device_stats_monitor", "Logs the use of the device, the processors and the memory"))
