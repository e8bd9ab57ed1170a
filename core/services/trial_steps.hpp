// The training steps of levin.trial/1. They run without callbacks, loggers, validation or schedules. end() restores the
// state of the run.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "core/abi/state_bag.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "core/services/run.hpp"
#include "core/services/speed_settings.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// The constructor saves a copy of the run's state. A new epoch begins when the last one has ended. During the steps,
// services act on the trial's own progress, metrics and optimization.
class TrialSteps {
 public:
  // run: passed to the model's steps. All arguments must outlive this object.
  TrialSteps(levin_run& run, const LoopContext& context, OptimizerSet& optimizers, Snapshots& snapshots);
  TrialSteps(const TrialSteps&) = delete;
  TrialSteps& operator=(const TrialSteps&) = delete;

  // Takes n optimizer steps, or fewer if the model requests a stop, which ends only these steps. loss: receives the
  // loss of the last batch, or NaN if there was none. Returns false if memory ran out, possibly in the middle of a
  // step. Throws Error{usage} if there are no training batches, and rethrows the model's errors. Collective.
  bool step(int64_t n, double& loss);
  // The next step begins a new epoch. From now on each process steps alone, without reductions, so that one of them may
  // run out of memory. If memory runs out in one process, step() returns false in all of them.
  void set_batch_size(int64_t rows);
  // The next step begins a new epoch. Throws Error{usage} within a step.
  void set_speed(const SpeedSetting& setting, int64_t value);
  void end();  // restores the run's state; must be the last call

 private:
  struct State {
    uint64_t tensors = 0;  // id of a snapshot
    std::vector<OptimizerState> optimizers;
    nlohmann::json precision;
    std::map<std::string, at::Tensor> generators;
    StateBag model;
    std::vector<bool> paused;
    int64_t batch_size = 0;
    std::vector<int64_t> speed;
  };
  void keep_state();
  // The loops of the trial, with the run's strategy or with one for this process alone.
  struct Loops {
    Loops(TrialSteps& trial, Strategy& strategy);
    LoopContext context;
    std::unique_ptr<Optimization> optimization;
    ScheduleStepper schedules;
    EvaluationLoop no_validation;
    std::optional<TrainingEpochLoop> epoch;
  };
  FoundPosition begin_epoch();  // returns where the next steps go on
  void run_steps(int64_t batches);
  bool fits(int64_t n);
  void observe(const levin_event& event);

  levin_run& run_;
  const LoopContext& run_context_;
  OptimizerSet& optimizers_;
  Snapshots& snapshots_;
  State before_;
  RunPlan plan_;        // of the trial
  RunPlan shown_plan_;  // the run's, as the model sees and changes it until the trial ends
  RunProgress progress_;
  LoggerList no_loggers_;
  LoggerConnector log_;
  Accumulation accumulation_;
  ProcessGroup nobody_else_;
  RunAgreement agreement_{nobody_else_, progress_.stop};
  std::unique_ptr<Strategy> alone_;  // strategy for this process alone; nullptr = the run's
  std::unique_ptr<Loops> loops_;
  double loss_ = 0;
  bool steps_ = false;  // a step runs
};

}  // namespace levin::core
