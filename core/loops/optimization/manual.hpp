// Manual optimization: training_step itself calls backward and steps the optimizers, through levin.optim/1.
#pragma once
#include "core/loops/optimization/optimization.hpp"

namespace levin::core {

class ManualOptimization : public Optimization {
 public:
  using Optimization::Optimization;
  // Reduces the gradients over all processes, then clips them. Collective.
  void clip(uint32_t optimizer, double value, const std::string& algorithm) override;
  // Each step increments global_step.
  void manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) override;

 private:
  void run_pass(const TrainingPass& pass, StepOutputs& out) override;
};

}  // namespace levin::core
