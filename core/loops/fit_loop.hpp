// The epochs of a fit.
#pragma once
#include "core/loops/training_epoch_loop.hpp"

namespace levin::core {

class FitLoop {
 public:
  FitLoop(RunContext& context, EvaluationLoop& validation);
  void run();
  // Optimizer steps of the whole fit; nullopt: not bounded. Reads the length of the data.
  static std::optional<int64_t> estimated_stepping_batches(RunContext& context);

 private:
  bool done();
  void advance();
  void end_epoch();
  void step_pending_schedules();
  void reload_if_due();
  void check_window() const;
  void warn_of_val_check();

  RunContext& c_;
  EvaluationLoop& validation_;
  TrainingEpochLoop epoch_loop_;
};

}  // namespace levin::core
