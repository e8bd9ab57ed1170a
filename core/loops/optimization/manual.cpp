#include "core/loops/optimization/manual.hpp"

namespace levin::core {

void ManualOptimization::run(const TrainingPass& pass, StepOutputs& out) {
  guard_.begin_window();
  training_step(pass.in, out);
}

void ManualOptimization::clip(uint32_t optimizer, double value, const std::string& algorithm) {
  if (parts_.strategy.several()) reduce_gradients(optimizer);
  Optimization::clip(optimizer, value, algorithm);
}

void ManualOptimization::manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
  Progress& counter = parts_.progress.manual_step;
  counter.raise(&Counter::ready);
  Optimization::manual_step(optimizer, closure, ctx);
  counter.raise(&Counter::completed);
}

}  // namespace levin::core
