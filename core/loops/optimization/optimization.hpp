// One training batch: forward, backward and the optimizer's step, by the trainer or by the model itself.
#pragma once
#include <functional>

#include "core/components/model.hpp"
#include "core/config/run_plan.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/optim/gradient_clipping.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/progress_counter.hpp"
#include "core/strategies/strategy.hpp"

namespace levin::core {

struct OptimizationParts {
  Model& model;
  Dispatcher& hooks;
  OptimizerSet& optimizers;
  Precision& precision;
  Strategy& strategy;
  OptimProgress& progress;
};

// One pass over a batch: of one optimizer, or of one split of the batch.
struct BatchPlan {
  const levin_step_in* in;
  uint32_t optimizer;   // whose turn it is
  bool window_start;    // zero its gradients first
  bool steps;           // the window ends with this pass
  int64_t accumulate;   // batches in a window
  double factor = 1.0;  // of the gradients before the step: 1 but for a short window that counts exactly
};

class Optimization {
 public:
  Optimization(OptimizationParts parts, const RunPlan& plan) : p_(parts), plan_(plan) {}

  // Automatic. True: the optimizer stepped. out: what training_step returned. Raises global_step.
  bool run(const BatchPlan& batch, StepOutputs& out);
  // Manual: training_step does it all through levin.optim/1.
  void run_manual(const levin_step_in& in, StepOutputs& out);

  // The host's own way, also behind levin.optim/1.
  void backward(const at::Tensor& loss, bool retain_graph);
  void step(uint32_t optimizer, const Optimizer::Closure& closure);  // before_optimizer_step, reduction, clipping, step
  void zero_grad(uint32_t optimizer);
  void clip(uint32_t optimizer, double value, const std::string& algorithm);
  // In automatic optimization: the step that an override of optimizer_step asks for.
  void step_from_override(uint32_t optimizer, levin_status (*closure)(void*), void* ctx);

 private:
  void forward(const levin_step_in& in, StepOutputs& out);
  void forward_backward(const BatchPlan& batch, StepOutputs& out);
  void check_loss(const at::Tensor& loss) const;
  void zero_grad_with_hooks(uint32_t optimizer);
  void run_step(const BatchPlan& batch, StepOutputs& out);
  bool before_step(uint32_t optimizer);
  void log_grad_norms();
  void clip_by_plan(uint32_t optimizer);
  levin_optim_call call(uint32_t optimizer) const;
  Optimizer* find(uint32_t optimizer) const;
  const std::vector<at::Tensor>& gradients(uint32_t optimizer);

  OptimizationParts p_;
  const RunPlan& plan_;
  GradientClipper clipper_;
  std::vector<at::Tensor> gradients_;
  bool in_closure_ = false;
  at::Tensor last_loss_;  // of the last backward in a closure, which cannot hand it over itself
  uint32_t turn_ = 0;     // the optimizer that this batch is for
  double factor_ = 1.0;
};

}  // namespace levin::core
