// Runs predict_step on every batch of the predict split.
#pragma once
#include <functional>

#include "core/loops/device_batches.hpp"
#include "core/loops/loop_context.hpp"

namespace levin::core {

class PredictionLoop {
 public:
  // Receives the named tensors of one batch, and the batch with its row ids (empty = unknown).
  using Sink = std::function<void(const std::vector<NamedTensor>& tensors, const Batch& batch)>;
  explicit PredictionLoop(const LoopContext& context);
  void run(const Sink& sink);

 private:
  void run_batches(const Sink& sink);
  void run_batch(const Sink& sink);

  const LoopContext& context_;
  RunProgress& progress_;
  DeviceBatches batches_;
  levin_step_in in_;
  StepOutputs outputs_;
};

}  // namespace levin::core
