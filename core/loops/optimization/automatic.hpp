// Automatic optimization: forward, zero_grad, backward and the optimizer's step, in Lightning's order.
#pragma once
#include "core/loops/optimization/optimization.hpp"

namespace levin::core {

class AutomaticOptimization : public Optimization {
 public:
  using Optimization::Optimization;
  // Throws Error{usage} if called inside training_step: the Trainer calls backward on the loss that training_step
  // returns.
  void manual_backward(const at::Tensor& loss, bool retain_graph) override;

 private:
  // Steps the optimizer and increments global_step if the window ends with this batch.
  void run_pass(const TrainingPass& pass, StepOutputs& out) override;
  void forward_backward(const TrainingPass& pass, StepOutputs& out);
  void forward(const levin_step_in& in, StepOutputs& out);
  void check_loss(const at::Tensor& loss) const;
  void zero_grad_with_hooks(uint32_t optimizer);
  void run_step(const TrainingPass& pass, StepOutputs& out);
  void run_overridden_step(const TrainingPass& pass, StepOutputs& out);
  bool clip_by_options(uint32_t optimizer) override;

  bool in_training_step_ = false;
};

}  // namespace levin::core
