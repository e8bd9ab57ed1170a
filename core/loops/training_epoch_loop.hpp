// The batches of one training epoch, with the validations during the epoch.
#pragma once
#include <optional>

#include "core/data/batch_feed.hpp"
#include "core/loops/evaluation_loop.hpp"
#include "core/loops/fit_rules.hpp"
#include "core/loops/run_agreement.hpp"
#include "core/loops/training_batch_loop.hpp"
#include "core/optim/schedule_stepper.hpp"

namespace levin::core {

class TrainingEpochLoop {
 public:
  // All arguments must outlive the loop.
  TrainingEpochLoop(const LoopContext& context, OptimizerSet& optimizers, Optimization& optimization,
                    ScheduleStepper& schedules, EvaluationLoop& validation);

  void begin_fit();
  void end_fit();  // frees the tensors of the last batch, so that a test has their memory
  // Starts at the batch given by the counters: the first one, unless the epoch goes on after a resume. batches: length
  // of the epoch, or `unlimited`.
  void run(int64_t batches, const FoundPosition& found = {});
  bool reached_all_batches() const;
  bool skips_epoch() const { return context_.agreement.skips_epoch(); }
  EpochOutputs& outputs() { return batch_loop_.epoch_outputs(); }

 private:
  StopInputs stop_inputs() const;
  bool done();
  void check_not_empty();
  bool advance();  // false = the rest of the epoch is skipped
  void skip_epoch();
  void skip_batch();
  void train_batch();
  AccumulationWindow window() const;  // of the current batch
  void complete_batch();
  bool validation_is_due() const;  // collective if val_check_interval is a time
  void validate();
  ValidationInputs validation_inputs() const;
  void zero_grad_before_validation();
  void after_validation();
  // Resumes from a checkpoint that was saved after a batch's step and before its end: logs and validates if that is
  // still due. repeats_validation: saved in a validation; one by time would not be due again.
  void finish_resumed_batch(bool repeats_validation);
  void log_step_metrics();
  void end_split();
  void step_schedules_of_batch(ScheduleStepper::Kind kind);
  void step_schedules_of_epoch_if_last();
  void fire_batch_end();

  const LoopContext& context_;
  RunProgress& progress_;
  OptimizerSet& optimizers_;
  NonFiniteGuard& guard_;
  ScheduleStepper& schedules_;
  EvaluationLoop& validation_;
  TrainingBatchLoop batch_loop_;
  DeviceBatches batches_;
  HookAnswers answers_;
  int64_t n_batches_ = 0;
  std::optional<int64_t> check_batch_;
  bool warned_minimum_ = false, warned_empty_ = false;
  LoopContext::Clock::time_point last_validation_;
};

}  // namespace levin::core
