// Automatic optimization: forward, zero_grad, backward and the optimizer's step, in Lightning's order.
#include "core/loops/optimization/optimization.hpp"

#include <ATen/TensorOperators.h>

#include <functional>
#include <optional>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/loops/optimization/captured_pass.hpp"

namespace levin::core {
namespace {

class AutomaticOptimization : public Optimization {
 public:
  explicit AutomaticOptimization(const OptimizationParts& parts) : Optimization(parts) {
    if (parts.plan.machine.capture == Capture::on)
      captured_.emplace(parts_, [this](const levin_step_in& in, StepOutputs& out) { compute(in, out); });
  }
  // Throws Error{usage} if called inside training_step: the Trainer calls backward on the loss that training_step
  // returns.
  void manual_backward(const at::Tensor& loss, bool retain_graph) override;

 private:
  // Steps the optimizer and increments global_step if the window ends with this batch.
  void run_pass(const TrainingPass& pass, StepOutputs& out) override;
  void forward_backward(const TrainingPass& pass, StepOutputs& out);
  void eager_forward_backward(const TrainingPass& pass, StepOutputs& out);
  void compute(const levin_step_in& in, StepOutputs& out);
  void note_replayed(const TrainingPass& pass, const StepOutputs& out);
  void forward(const levin_step_in& in, StepOutputs& out);
  void check_loss(const at::Tensor& loss) const;
  void zero_grad_with_hooks(uint32_t optimizer);
  void run_step(const TrainingPass& pass, StepOutputs& out);
  void run_overridden_step(const TrainingPass& pass, StepOutputs& out);
  bool clip_by_options(uint32_t optimizer) override;

  bool in_training_step_ = false;
  std::optional<CapturedPass> captured_;  // with trainer.capture
};

void AutomaticOptimization::run_pass(const TrainingPass& pass, StepOutputs& out) {
  if (pass.window.starts) guard_.begin_window();
  if (!pass.window.ends) return forward_backward(pass, out);
  parts_.progress.ready(Counted::optimizer_step);
  run_step(pass, out);
  parts_.progress.complete(Counted::optimizer_step);
}

void AutomaticOptimization::run_step(const TrainingPass& pass, StepOutputs& out) {
  if (parts_.model.overrides().has_optimizer_step()) return run_overridden_step(pass, out);
  const Optimizer* optimizer = find(pass.optimizer);
  if (optimizer && optimizer->needs_closure())
    return step(pass.optimizer, [&] {
      forward_backward(pass, out);
      return out.loss;
    });
  forward_backward(pass, out);
  step(pass.optimizer, nullptr);
}

// The model's own optimizer_step gets forward and backward as a closure.
void AutomaticOptimization::run_overridden_step(const TrainingPass& pass, StepOutputs& out) {
  std::function<void()> compute = [&] { forward_backward(pass, out); };
  levin_optim_call arguments = call(pass.optimizer);
  arguments.ctx = &compute;
  arguments.closure = [](void* ctx) { return serve([&] { (*static_cast<std::function<void()>*>(ctx))(); }); };
  parts_.model.overrides().optimizer_step(arguments);
}

void AutomaticOptimization::forward_backward(const TrainingPass& pass, StepOutputs& out) {
  Optimizer* const optimizer = captured_ ? find(pass.optimizer) : nullptr;
  if (!optimizer) return eager_forward_backward(pass, out);
  if (captured_->run(pass, *optimizer, out, [&] { eager_forward_backward(pass, out); })) note_replayed(pass, out);
}

// The part of a step that is recorded.
void AutomaticOptimization::compute(const levin_step_in& in, StepOutputs& out) {
  forward(in, out);
  if (!out.loss.defined()) throw Error(ErrorCode::loss_invalid, "training_step returned no loss");
  check_loss(out.loss);
  parts_.strategy.backward(out.loss, false);
  parts_.strategy.after_backward();
}

// What an eager pass does besides the recorded part. A replayed step has no hooks before that.
void AutomaticOptimization::note_replayed(const TrainingPass& pass, const StepOutputs& out) {
  if (pass.window.starts) {
    parts_.progress.ready(Counted::zero_grad);
    parts_.progress.start(Counted::zero_grad);
    guard_.forget_losses();
    parts_.progress.complete(Counted::zero_grad);
  }
  guard_.see_loss(out.loss);
  parts_.hooks.fire(LEVIN_HOOK_AFTER_BACKWARD, parts_.progress);
}

void AutomaticOptimization::eager_forward_backward(const TrainingPass& pass, StepOutputs& out) {
  forward(pass.in, out);
  if (pass.window.starts) zero_grad_with_hooks(pass.optimizer);
  if (!out.loss.defined()) return;
  check_loss(out.loss);
  const at::Tensor loss = pass.window.size > 1 ? out.loss / pass.window.size : out.loss;
  try {
    backward(loss, false);
  } catch (const c10::Error& e) {
    throw Error(ErrorCode::backward_failed,
                parts_.model.plugin() + ": " + parts_.model.instance() + ": backward of the loss: " + brief(e));
  }
}

void AutomaticOptimization::forward(const levin_step_in& in, StepOutputs& out) {
  const ValueScope<bool> in_training_step(in_training_step_, true);
  training_step(in, out);
  if (!out.loss.defined() && !out.named.empty())
    throw Error(ErrorCode::loss_invalid, parts_.model.plugin() + ": training_step returned '" + out.named.front().name +
                                             "' but no 'loss'; return the loss too, or nothing at all");
}

// LibTorch's own message names neither the model nor the step.
void AutomaticOptimization::check_loss(const at::Tensor& loss) const {
  if (parts_.model.overrides().has_backward() || (loss.numel() == 1 && loss.requires_grad())) return;
  const std::string wrong =
      loss.numel() != 1 ? "has the shape " + c10::str(loss.sizes()) + "; it has to be one number, as .mean() gives"
                        : "does not depend on a parameter that requires grad: was it detached, or is all frozen?";
  throw Error(ErrorCode::loss_invalid,
              parts_.model.plugin() + ": " + parts_.model.instance() + ".training_step: the loss " + wrong);
}

void AutomaticOptimization::zero_grad_with_hooks(uint32_t optimizer) {
  parts_.progress.ready(Counted::zero_grad);
  parts_.hooks.fire(LEVIN_HOOK_BEFORE_ZERO_GRAD, parts_.progress, [&](levin_event& e) { e.optimizer_idx = optimizer; });
  parts_.progress.start(Counted::zero_grad);
  if (!parts_.model.overrides().optimizer_zero_grad(call(optimizer))) zero_grad(optimizer);
  parts_.progress.complete(Counted::zero_grad);
}

bool AutomaticOptimization::clip_by_options(uint32_t optimizer) {
  const RunPlan& plan = parts_.plan;
  if (parts_.model.overrides().configure_gradient_clipping(call(optimizer))) return false;
  if (!plan.optimization.gradient_clip_val || *plan.optimization.gradient_clip_val <= 0) return false;
  return clip_gradients(optimizer, *plan.optimization.gradient_clip_val,
                        name_of(plan.optimization.gradient_clip_algorithm.value_or(GradientClipAlgorithm::norm)));
}

void AutomaticOptimization::manual_backward(const at::Tensor& loss, bool retain_graph) {
  if (in_training_step_)
    throw Error(
        ErrorCode::call_invalid,
        "manual_backward in training_step, but the model's optimization is automatic: return the loss alone, or "
        "declare static constexpr bool automatic_optimization = false and step the optimizers too");
  Optimization::manual_backward(loss, retain_graph);
}

}  // namespace

std::unique_ptr<Optimization> make_automatic_optimization(const OptimizationParts& parts) {
  return std::make_unique<AutomaticOptimization>(parts);
}

}  // namespace levin::core
