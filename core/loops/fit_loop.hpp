// Runs the epochs of a fit.
#pragma once
#include "core/loops/training_epoch_loop.hpp"

namespace levin::core {

class FitLoop {
 public:
  // All arguments must outlive the loop.
  FitLoop(const LoopContext& context, OptimizerSet& optimizers, Optimization& optimization, EvaluationLoop& validation);
  // found: where the fit goes on.
  void run(const FoundPosition& found);
  // Returns the number of optimizer steps of the whole fit, or nullopt if it is unbounded or unknown. Creates the
  // training loaders to get their length.
  static std::optional<int64_t> estimated_stepping_batches(const RunPlan& plan, LoaderSet& loaders,
                                                           const Accumulation& accumulation);

  // The state of the fit's loops: the progress, the accumulation window, the validations, the skipped optimizer steps
  // and the request to skip the epoch. Loading throws as RunProgress::load_state_dict().
  nlohmann::json state_dict();
  FoundPosition load_state_dict(const nlohmann::json& state);
  // As RunProgress::reshard_epoch(). An open accumulation window is dropped, because its gradients belong to the old
  // distribution of rows.
  void reshard_epoch(int64_t rows_before, int64_t rows);
  EpochOutputs& outputs() { return epoch_loop_.outputs(); }  // of the training steps of the epoch so far
  const EvaluationLoop& validation() const { return validation_; }

 private:
  bool done() const;
  void advance(const FoundPosition& found);
  void end_epoch();
  void step_pending_schedules();
  void reload_if_due();
  void check_window() const;
  void warn_of_batches(int64_t batches) const;
  void warn_of_val_check() const;

  const LoopContext& context_;
  RunProgress& progress_;
  OptimizerSet& optimizers_;
  NonFiniteGuard& guard_;
  EvaluationLoop& validation_;
  ScheduleStepper schedules_;
  TrainingEpochLoop epoch_loop_;
};

}  // namespace levin::core
