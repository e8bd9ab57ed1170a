#include "core/trainer/hook_trace.hpp"

#include "core/logging/metrics/log_rules.hpp"

namespace levin::core {

void trace_hooks(OriginTracker& tracker, Console& console, const levin_run& run) {
  tracker.set_trace(
      [&console, &run, depth = size_t{0}](const std::string& who, LogOrigin origin, bool entering) mutable {
        if (!entering) {
          --depth;
          return;
        }
        const RunProgress& progress = run.trainer->progress;
        console.print("epoch " + std::to_string(progress.current_epoch()) + " step " +
                      std::to_string(progress.global_step()) + ": " + std::string(depth * 2, ' ') + who + "." +
                      origin_name(origin));
        ++depth;
      });
}

}  // namespace levin::core
