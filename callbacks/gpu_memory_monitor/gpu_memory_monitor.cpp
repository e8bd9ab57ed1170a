// Logs the memory used on each NVIDIA GPU, as reported by nvidia-smi.
#include <cstdio>

#include "levin/callback.hpp"
#include "memory_rule.hpp"

namespace levin::gpu_memory_monitor {
namespace {

class GpuMemoryMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      text("mode", "\"all\"", "all = every GPU, min_max = the least and the most used"),
  };
  static constexpr levin_flag claims[] = {{"log_gpu_memory", "mode", "log the memory of the GPUs: all or min_max"}};

  explicit GpuMemoryMonitor(const Args& args) : min_max_(args.text("mode") == "min_max") {
    const std::string mode = args.text("mode");
    if (mode != "all" && mode != "min_max") throw Error(LEVIN_E_INVALID, "mode is '" + mode + "'; valid: all, min_max");
  }

  void on_train_batch_end(const Event& event) {
    const Run run = event.run();
    if (!works_ || !run.should_update_logs()) return;
    const Logged metrics = memory_metrics(used(), min_max_);
    if (metrics.empty()) {
      works_ = false;
      return warn("nvidia-smi says nothing about memory: nothing is logged");
    }
    run.log_now(run.batches_that_stepped(), metrics);
  }

 private:
  static std::vector<double> used() {
    FILE* pipe = popen("nvidia-smi --query-gpu=memory.used --format=csv,nounits,noheader 2>/dev/null", "r");
    if (!pipe) return {};
    std::string text;
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe)) text += buffer;
    pclose(pipe);
    return parse_nvidia_smi(text);
  }

  bool min_max_, works_ = true;
};

}  // namespace
}  // namespace levin::gpu_memory_monitor

LEVIN_PLUGIN("levin.gpu_memory_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::gpu_memory_monitor::GpuMemoryMonitor>("gpu_memory_monitor",
                                                                          "Logs the used memory of NVIDIA cards"))
