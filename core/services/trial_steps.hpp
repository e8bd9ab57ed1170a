// The training steps of levin.trial/1. They run without callbacks, loggers, validation or schedules, and end() restores
// the state of the run.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "core/abi/state_bag.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "core/services/run.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// The constructor saves a copy of the run's state. A new epoch begins whenever the last one has ended. During the
// steps, services act on the trial's own progress, metrics and optimization.
class TrialSteps {
 public:
  // run: the run that the model's steps get. All arguments must outlive this object.
  TrialSteps(levin_run& run, const LoopContext& context, OptimizerSet& optimizers, Snapshots& snapshots);
  TrialSteps(const TrialSteps&) = delete;
  TrialSteps& operator=(const TrialSteps&) = delete;

  // Takes n optimizer steps, or fewer if the model requests a stop, which ends only these steps. `loss` is that of the
  // last batch, or NaN if there was none. Returns false if memory ran out, perhaps in the middle of a step. Throws
  // Error{usage} if there are no training batches, and rethrows the model's errors. Of several processes all call it.
  bool step(int64_t n, double& loss);
  // The next step begins a new epoch. From now on each of several processes steps by itself, so that one of them may
  // run out of memory: it has no part in the others' reductions then. What one has no memory for, fits in none of them.
  void set_batch_size(int64_t rows);
  void end();  // restores the state of the run; no other function may be called afterwards

 private:
  struct State {
    uint64_t tensors = 0;  // id of a snapshot
    std::vector<OptimizerState> optimizers;
    nlohmann::json precision;
    std::map<std::string, at::Tensor> generators;
    StateBag model;
    std::vector<bool> paused;
    int64_t batch_size = 0;
  };
  void keep_state();
  void begin_progress();
  // What steps, with the run's strategy or with one of this process alone.
  struct Loops {
    Loops(TrialSteps& trial, Strategy& strategy);
    LoopContext context;
    std::unique_ptr<Optimization> optimization;
    ScheduleStepper schedules;
    EvaluationLoop no_validation;
    std::optional<TrainingEpochLoop> epoch;
  };
  void begin_epoch();
  void run_steps(int64_t batches);
  bool fits(int64_t n);
  bool fits_everywhere(bool here) const;
  void observe(const levin_event& event);

  levin_run& run_;
  const LoopContext& run_context_;
  OptimizerSet& optimizers_;
  Snapshots& snapshots_;
  State before_;
  RunPlan plan_;        // by which the trial steps
  RunPlan shown_plan_;  // the run's, as the model sees and changes it until the trial ends
  RunProgress progress_;
  LoggerList no_loggers_;
  LoggerConnector log_;
  ProcessGroup nobody_else_;
  std::unique_ptr<Strategy> alone_;  // of this process without the others; nullptr: the run's is used
  std::unique_ptr<Loops> loops_;
  double loss_ = 0;
};

}  // namespace levin::core
