// Training steps on a copy of the state, behind levin.trial/1: no callbacks, loggers, validation or schedules.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/components/state_bag.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "core/services/snapshots.hpp"

namespace levin::core {

// Takes the copy when it is made. Epochs follow each other for as long as steps are asked for.
class Trial {
 public:
  Trial(RunContext& context, Snapshots& snapshots);
  Trial(const Trial&) = delete;
  // So many optimizer steps, or fewer where the model asks for a stop, which ends these steps alone; loss: of the last
  // batch, NaN where there was none. False: out of memory, and the step may be half done. Throws what the model throws.
  bool step(int64_t n, double& loss);
  void set_batch_size(int64_t rows);           // the next step begins an epoch
  void end();                                  // puts everything back; nothing may be called after it
  bool stepping() const { return stepping_; }  // who speaks to the run now is the model, within a step
  RunContext& context() { return c_; }         // that its words are meant for

 private:
  struct State {
    uint64_t tensors = 0;  // a snapshot
    std::vector<OptimizerState> optimizers;
    nlohmann::json precision;
    std::map<std::string, at::Tensor> generators;
    StateBag model;
    Position position;
    OptimProgress optim;
    std::vector<bool> paused;
    int64_t batch_size = 0;
  };
  void begin_epoch();
  void run_steps(int64_t batches);
  void observe(const levin_event& event);

  RunContext& run_;
  Snapshots& snapshots_;
  State before_;
  RunPlan plan_;
  FitProgress progress_;
  StopRequest stop_;
  LoggerList no_loggers_;
  LoggerConnector log_;
  RunContext c_;
  EvaluationLoop no_validation_;
  std::optional<TrainingEpochLoop> loop_;
  double loss_ = 0;
  bool stepping_ = false;
};

}  // namespace levin::core
