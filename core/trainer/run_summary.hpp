// The line at the end of a run: what was trained and evaluated, with metrics and times.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "core/logging/metrics/ordered_metrics.hpp"
#include "core/progress/run_progress.hpp"
#include "core/run_folder/run_folder.hpp"

namespace levin::core {

class RunSummary {
 public:
  void begin(const RunProgress& progress);  // begins a stage; call it after a resumed fit has loaded its counters
  void trained(const RunProgress& progress, const OrderedMetrics& metrics);
  void did(const std::string& what, const OrderedMetrics& metrics);  // what: "tested"

  // Returns for example "mlp on mnist: trained 2 epochs (8 steps) in 00:03, val_loss 0.312; tested in 00:01, ...", or
  // "" if no stage has ended. Forgets the stages. what: "mlp on mnist".
  std::string take_line(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_{};
  int64_t first_epoch_ = 0, first_step_ = 0;
  std::vector<std::string> parts_;
};

// Returns the line "best checkpoint: FILE (val_loss 0.123)", or the last checkpoint, and the command to run next.
// Returns nothing if the run has no checkpoint. tests: true if the run has a test that was not run.
std::vector<std::string> fit_result(const RunFolder& folder, bool tests);

}  // namespace levin::core
