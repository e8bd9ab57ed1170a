// Predictions for every batch of the predict split.
#pragma once
#include <functional>

#include "core/loops/run_context.hpp"
#include "core/loops/step_batches.hpp"

namespace levin::core {

class PredictionLoop {
 public:
  // The named tensors of one batch, and the rows they are for (empty: not known).
  using Sink = std::function<void(const std::vector<NamedTensor>& tensors, const Batch& batch)>;
  explicit PredictionLoop(RunContext& context);
  void run(const Sink& sink);

 private:
  void run_batch(const Sink& sink);
  RunContext& c_;
  StepBatches batches_;
  levin_step_in in_{};
  StepOutputs outputs_;
};

}  // namespace levin::core
