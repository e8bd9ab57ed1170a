// Automatic optimization: forward, zero_grad, backward and the optimizer's step, in Lightning's order.
#pragma once
#include "core/loops/optimization/optimization.hpp"

namespace levin::core {

class AutomaticOptimization : public Optimization {
 public:
  using Optimization::Optimization;
  // Where the window ends the optimizer steps, and global_step rises.
  void run(const TrainingPass& pass, StepOutputs& out) override;
  // Throws Error{usage} within training_step: the loss that it returns is what backward is called for.
  void manual_backward(const at::Tensor& loss, bool retain_graph) override;

 private:
  void forward_backward(const TrainingPass& pass, StepOutputs& out);
  void forward(const levin_step_in& in, StepOutputs& out);
  void check_loss(const at::Tensor& loss) const;
  void zero_grad_with_hooks(uint32_t optimizer);
  void run_step(const TrainingPass& pass, StepOutputs& out);
  void run_overridden_step(const TrainingPass& pass, StepOutputs& out);
  void clip_by_options(uint32_t optimizer) override;

  bool in_training_step_ = false;
};

}  // namespace levin::core
