// Training steps on a copy of the run's state, behind levin.trial/1: no callbacks, loggers, validation or schedules.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "core/abi/state_bag.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "core/services/run.hpp"

namespace levin::core {

// The constructor copies the run's state. A new epoch begins whenever one is used up. While it steps, services act on
// the trial's own progress, metrics and optimization.
class TrialSteps {
 public:
  // run: what the model's steps are handed, with the parts of its services. All outlive this.
  TrialSteps(levin_run& run, const LoopContext& context, OptimizerSet& optimizers, Snapshots& snapshots);
  TrialSteps(const TrialSteps&) = delete;
  TrialSteps& operator=(const TrialSteps&) = delete;

  // Takes n optimizer steps, or fewer if the model asks for a stop, which ends only these steps. `loss` is that of the
  // last batch, NaN if there was none. Returns false if memory ran out, perhaps in mid-step. Rethrows what the model
  // throws.
  bool step(int64_t n, double& loss);
  void set_batch_size(int64_t rows);  // the next step begins an epoch
  void end();                         // puts everything back; nothing may be called after it

 private:
  struct State {
    uint64_t tensors = 0;  // a snapshot
    std::vector<OptimizerState> optimizers;
    nlohmann::json precision;
    std::map<std::string, at::Tensor> generators;
    StateBag model;
    std::vector<bool> paused;
    int64_t batch_size = 0;
  };
  void keep_state();
  void begin_progress();
  void begin_epoch();
  void run_steps(int64_t batches);
  void observe(const levin_event& event);

  levin_run& run_;
  const LoopContext& run_context_;
  OptimizerSet& optimizers_;
  Snapshots& snapshots_;
  State before_;
  RunPlan plan_;
  RunProgress progress_;
  LoggerList no_loggers_;
  LoggerConnector log_;
  LoopContext context_;
  std::unique_ptr<Optimization> optimization_;
  ScheduleStepper schedules_;
  EvaluationLoop no_validation_;
  std::optional<TrainingEpochLoop> loop_;
  double loss_ = 0;
};

}  // namespace levin::core
