// One training batch: training_step for every split in time and every optimizer whose turn it is.
#pragma once
#include <vector>

#include "core/loops/epoch_outputs.hpp"
#include "core/loops/run_context.hpp"
#include "core/loops/step_batches.hpp"

namespace levin::core {

class BatchSteps {
 public:
  explicit BatchSteps(RunContext& context);

  struct Window {
    bool starts, ends;
    int64_t size;
    double factor;  // of the gradients before the step
  };
  void begin_epoch();
  // After it outputs() holds what all calls of training_step returned, in order.
  void run(const StepBatches& batches, const Window& window);
  void take_turns(int64_t batch_idx);  // whose turn this batch is; run() does it too
  StepOutputs& outputs() { return outputs_; }
  EpochOutputs& epoch_outputs() { return epoch_outputs_; }
  // Whether this optimizer was active on the batch: its schedules by step move only then.
  bool active(uint32_t optimizer) const;

 private:
  void run_splits(Batch& batch, const std::vector<const char*>& names, const Window& window);
  void run_optimizers(const Window& window);
  void run_one(uint32_t optimizer, const Window& window);
  std::vector<std::vector<at::Tensor>> split(Batch& batch) const;
  void warn_of_no_loss();
  void carry_hiddens(const std::vector<at::Tensor>& hiddens);

  RunContext& c_;
  levin_step_in in_{};
  std::vector<uint32_t> turns_;
  StepOutputs step_, outputs_;
  EpochOutputs epoch_outputs_;
  std::vector<at::Tensor> hiddens_;
  std::vector<levin_tensor*> hidden_handles_;
  bool warned_of_no_loss_ = false;
};

}  // namespace levin::core
