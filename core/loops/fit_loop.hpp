// Runs the epochs of a fit.
#pragma once
#include "core/loops/training_epoch_loop.hpp"

namespace levin::core {

class FitLoop {
 public:
  // All arguments must outlive the loop.
  FitLoop(const LoopContext& context, OptimizerSet& optimizers, Optimization& optimization, EvaluationLoop& validation);
  void run();
  // Returns the number of optimizer steps of the whole fit, or nullopt if it is unbounded or unknown. Creates the
  // training loaders to get their length.
  static std::optional<int64_t> estimated_stepping_batches(const RunPlan& plan, LoaderSet& loaders,
                                                           const RunProgress& progress);

 private:
  bool done() const;
  void advance();
  void end_epoch();
  void step_pending_schedules();
  void reload_if_due();
  void check_window() const;
  void warn_of_batches(int64_t batches) const;
  void warn_of_val_check() const;

  const LoopContext& context_;
  RunProgress& progress_;
  OptimizerSet& optimizers_;
  EvaluationLoop& validation_;
  ScheduleStepper schedules_;
  TrainingEpochLoop epoch_loop_;
};

}  // namespace levin::core
