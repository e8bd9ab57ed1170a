// One training batch: runs training_step for every truncated-BPTT split and for every optimizer that takes the batch.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/loops/device_batches.hpp"
#include "core/loops/epoch_outputs.hpp"
#include "core/loops/optimization/optimization.hpp"

namespace levin::core {

struct TrainingBatchParts {
  const RunPlan& plan;
  Model& model;
  OptimizerSet& optimizers;
  Optimization& optimization;
  RunProgress& progress;
  levin_run* run;
  Warn warn;
  std::function<void()> end_split;  // called between two splits of a batch; may be empty
};

class TrainingBatchLoop {
 public:
  explicit TrainingBatchLoop(TrainingBatchParts parts);

  void begin_fit() { warned_of_no_loss_ = false; }
  void end_fit() {
    step_.clear();
    outputs_.clear();
    hiddens_.clear();
    hidden_handles_.clear();
  }
  // goes_on: true if a resumed run continues within the epoch.
  void begin_epoch(bool goes_on) {
    goes_on ? epoch_outputs_.go_on(parts_.model, LEVIN_STAGE_FIT) : epoch_outputs_.begin(parts_.model, LEVIN_STAGE_FIT);
  }
  // After the call, outputs() holds what all calls of training_step returned, in order.
  void run(const DeviceBatches& batches, const AccumulationWindow& window);
  // Determines which optimizers take the batch. run() calls it too.
  void choose_optimizers(int64_t batch_idx);
  const std::vector<uint32_t>& optimizers_of_batch() const { return optimizers_of_batch_; }
  StepOutputs& outputs() { return outputs_; }
  EpochOutputs& epoch_outputs() { return epoch_outputs_; }

 private:
  void run_splits(Batch& batch, const std::vector<const char*>& names, const AccumulationWindow& window);
  void run_optimizers(const AccumulationWindow& window);
  void run_one(uint32_t optimizer, const AccumulationWindow& window);
  std::vector<std::vector<at::Tensor>> split(Batch& batch) const;
  void carry_hiddens(const std::vector<at::Tensor>& hiddens);
  bool is_optimized() const;  // true if the Trainer (not the model) steps at least one optimizer
  void warn_of_no_loss();
  void check_finite_step() const;

  TrainingBatchParts parts_;
  levin_step_in in_;
  levin_step_1x in_1x_ = make_step_1x();
  std::vector<uint32_t> optimizers_of_batch_;  // the optimizers that take the batch
  StepOutputs step_, outputs_;
  EpochOutputs epoch_outputs_;
  std::vector<at::Tensor> hiddens_;
  std::vector<levin_tensor*> hidden_handles_;
  bool warned_of_no_loss_ = false;
};

}  // namespace levin::core
