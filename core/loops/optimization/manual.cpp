// Manual optimization: training_step itself calls backward and steps the optimizers, through levin.optim/1.
#include "core/loops/optimization/optimization.hpp"

#include "core/base/value_scope.hpp"

namespace levin::core {
namespace {

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

void ManualOptimization::run_pass(const TrainingPass& pass, StepOutputs& out) {
  const TrainingPass own_steps{pass.in, 0, {true, false, 1, 1.0}};  // the model itself decides when it steps
  const ValueScope<const TrainingPass*> in_pass(pass_, &own_steps);
  guard_.begin_window();
  training_step(pass.in, out);
}

void ManualOptimization::clip(uint32_t optimizer, double value, const std::string& algorithm) {
  if (parts_.strategy.several()) reduce_gradients(optimizer);
  Optimization::clip(optimizer, value, algorithm);
}

void ManualOptimization::manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
  parts_.progress.ready(Counted::manual_step);
  Optimization::manual_step(optimizer, closure, ctx);
  parts_.progress.complete(Counted::manual_step);
}

}  // namespace

std::unique_ptr<Optimization> make_manual_optimization(const OptimizationParts& parts) {
  return std::make_unique<ManualOptimization>(parts);
}

}  // namespace levin::core
