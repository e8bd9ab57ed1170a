// The batches of one training epoch, with the validations that fall into it.
#pragma once
#include <chrono>
#include <optional>

#include "core/data/batch_feed.hpp"
#include "core/loops/accumulation.hpp"
#include "core/loops/batch_steps.hpp"
#include "core/loops/evaluation_loop.hpp"
#include "core/loops/run_context.hpp"
#include "core/loops/val_schedule.hpp"

namespace levin::core {

class TrainingEpochLoop {
 public:
  TrainingEpochLoop(RunContext& context, EvaluationLoop& validation);

  // batches: of the epoch; `unlimited` when unknown. Starts at progress.batch, which is at 0 but after a resume.
  void run(int64_t batches);
  void step_schedules(bool by_step, bool plateau);
  bool reached_all_batches() const;
  EpochOutputs& outputs() { return steps_.epoch_outputs(); }

 private:
  StopQuestion question() const;
  bool done();
  bool advance();  // false: the rest of the epoch is to be skipped
  void run_steps();
  bool steps_on_this_batch() const;  // an optimizer step is due after this batch
  void complete_batch();
  void validate_if_due();
  void after_validation();
  void finish_resumed_batch();  // of a checkpoint that was made between a batch's step and its end
  void log_step_metrics();
  bool accumulating() const { return !stepped_; }
  void step_schedule(uint32_t index, ScheduleConfig& schedule);
  void step_with_override(uint32_t index, ScheduleConfig& schedule, double metric);
  void fire_batch_end();

  RunContext& c_;
  EvaluationLoop& validation_;
  BatchSteps steps_;
  StepBatches parts_;
  int64_t batches_ = 0;
  std::optional<int64_t> check_batch_;
  bool told_minimum_ = false;
  bool stepped_ = false;  // the window ended with the batch in hand
  std::chrono::steady_clock::time_point last_validation_ = std::chrono::steady_clock::now();
};

}  // namespace levin::core
