#include "core/loops/optimization/optimization.hpp"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <optional>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/optim/finite.hpp"
#include "core/optim/lr_scaling.hpp"
#include "core/optim/optim_call.hpp"

namespace levin::core {
namespace {

struct StepRefused {};  // thrown through an optimizer's step

// Restores an optimizer's parameters and state to those at construction. Works for optimizers that replace the tensors
// of their state instead of changing them.
class StateBeforeStep {
 public:
  explicit StateBeforeStep(Optimizer& optimizer) : optimizer_(optimizer), state_(optimizer.state_dict()) {
    each([&](const at::Tensor& p) { before_.push_back(p.detach().clone()); });
  }
  bool ended_finite() const {
    bool finite = true;
    each([&](const at::Tensor& p) { finite = finite && is_finite(p); });
    return finite;
  }
  void put_back() const {
    const at::NoGradGuard no_grad;
    size_t i = 0;
    each([&](const at::Tensor& p) { p.copy_(before_[i++]); });
    optimizer_.load_state_dict(state_);
  }

 private:
  template <class F>
  void each(const F& f) const {
    for (const ParamGroup& group : optimizer_.groups())
      for (const at::Tensor& p : group.params) f(p);
  }
  Optimizer& optimizer_;
  OptimizerState state_;
  std::vector<at::Tensor> before_;
};

}  // namespace

std::unique_ptr<Optimization> make_optimization(const OptimizationParts& parts) {
  if (parts.model.manual_optimization() && parts.plan.machine.capture == Capture::on)
    parts.warn("trainer.capture has no effect: the model's optimization is manual");
  if (parts.model.manual_optimization()) return make_manual_optimization(parts);
  return make_automatic_optimization(parts);
}

void Optimization::run(const TrainingPass& pass, StepOutputs& out) {
  const ValueScope<const TrainingPass*> in_pass(pass_, &pass);
  run_pass(pass, out);
}

void Optimization::training_step(const levin_step_in& in, StepOutputs& out) {
  const ModelStep step{parts_.model, parts_.precision, in, out, parts_.log};
  if (!parts_.strategy.several()) return parts_.strategy.step(step);
  for (const auto& optimizer : parts_.optimizers.optimizers()) parts_.strategy.used_gradients(*optimizer);
  parts_.strategy.before_forward(parts_.model);
  parts_.strategy.forward([&] { parts_.strategy.step(step); });
}

levin_optim_call Optimization::call(uint32_t optimizer) const {
  const auto& clip_algorithm = parts_.plan.optimization.gradient_clip_algorithm;
  levin_optim_call c = make_optim_call(parts_.hooks.run(), parts_.progress, optimizer);
  c.clip_val = parts_.plan.optimization.gradient_clip_val.value_or(std::nan(""));
  c.clip_algorithm = clip_algorithm ? name_of(*clip_algorithm) : nullptr;
  return c;
}

Optimizer* Optimization::find(uint32_t optimizer) const {
  if (optimizer == 0 && parts_.optimizers.optimizers().empty()) return nullptr;
  return &parts_.optimizers.optimizer(optimizer);
}

void Optimization::manual_backward(const at::Tensor& loss, bool retain_graph) {
  if (in_backward_override_) return parts_.strategy.backward(loss, retain_graph);
  backward(loss, retain_graph);
}

void Optimization::backward(const at::Tensor& loss, bool retain_graph) {
  if (closure_loss_) *closure_loss_ = loss.detach();
  guard_.see_loss(loss);
  const auto with_loss = [&](levin_event& e) { e.loss = borrow(loss); };
  parts_.hooks.fire(LEVIN_HOOK_BEFORE_BACKWARD, parts_.progress, with_loss);
  const at::Tensor scaled = parts_.precision.is_full_precision() ? loss : parts_.precision.scale(loss);
  if (parts_.model.overrides().has_backward()) {
    const ValueScope<bool> in_override(in_backward_override_, true);
    levin_optim_call arguments = call(pass_ ? pass_->optimizer : 0);
    arguments.loss = borrow(scaled);
    parts_.model.overrides().backward(arguments);
  } else {
    const bool step_follows = pass_ && pass_->window.ends;
    const Optimizer* optimizer = step_follows && parts_.strategy.several() ? find(pass_->optimizer) : nullptr;
    if (optimizer) parts_.strategy.expect_step(*optimizer, guard_.bad_loss(parts_.strategy.device()));
    parts_.strategy.backward(scaled, retain_graph);
  }
  parts_.strategy.after_backward();
  parts_.hooks.fire(LEVIN_HOOK_AFTER_BACKWARD, parts_.progress);
}

void Optimization::zero_grad(uint32_t optimizer) {
  guard_.forget_losses();
  Optimizer* const o = find(optimizer);
  if (!o) return;
  o->zero_grad();
  parts_.strategy.used_gradients(*o);
}

bool Optimization::clip_gradients(uint32_t optimizer, double value, const std::string& algorithm) {
  const Optimizer* o = find(optimizer);
  if (!o) return false;
  if (algorithm == "value") {
    guard_.look_ahead(*o);
    clipper_.clip_value(*o, value);
    return false;
  }
  if (algorithm != "norm" && !algorithm.empty())
    throw Error(ErrorCode::option_value_invalid,
                "gradient clipping '" + algorithm + "' is unknown; valid: norm, value");
  const GradNorm norm = clipper_.clip_norm(*o, value);
  return !norm.tensor().defined() && std::isfinite(norm.value());
}

void Optimization::step(uint32_t index, const Optimizer::Closure& closure) {
  Optimizer* optimizer = find(index);
  std::optional<RateScope> rates;
  if (optimizer)
    rates.emplace(*optimizer,
                  lr_factor_ * warm_up_factor(warm_up_.scale, parts_.progress.global_step(), warm_up_.steps));
  if (optimizer && optimizer->needs_closure() && closure) return step_by_closure(*optimizer, index, closure);
  if (closure) closure();
  const GradientFacts gradients = prepare_step(index);
  if (optimizer && gradients.overflowed) guard_.overflowed(*optimizer);
  if (optimizer && !gradients.overflowed) {
    const NonFiniteGuard::Verdict verdict = guard_.verdict(*optimizer, gradients.finite);
    if (verdict.skip.defined())
      optimizer->step_unless(verdict.skip);
    else if (verdict.steps)
      optimizer->step();
  }
  if (!parts_.precision.is_full_precision()) parts_.precision.stepped();
}

void Optimization::step_by_closure(Optimizer& optimizer, uint32_t index, const Optimizer::Closure& closure) {
  if (!parts_.precision.is_full_precision())
    throw Error(ErrorCode::optimizer_misconfigured,
                "optimizer '" + optimizer.id() + "' does not work with mixed precision; use 32-true");
  guarded_step(optimizer, [&] {
    const at::Tensor loss = closure();
    if (!loss.defined())
      throw Error(ErrorCode::loss_invalid,
                  parts_.model.plugin() + ": the closure of the optimizer '" + optimizer.id() +
                      "' computed no loss, by which this optimizer decides its steps: let it call "
                      "backward, or training_step return a loss");
    parts_.strategy.reduce_loss(loss);
    prepare_step(index);
    return loss;
  });
}

// Later evaluations are trials: a line search returns from points where the loss is infinite.
void Optimization::guarded_step(Optimizer& optimizer, const Optimizer::Closure& closure) {
  if (!guard_.is_on()) {
    optimizer.step(closure);
    return;
  }
  const StateBeforeStep before(optimizer);
  bool first = true;
  try {
    optimizer.step([&] {
      guard_.forget_losses();
      const at::Tensor loss = closure();
      if (std::exchange(first, false) && !guard_.allows_step(optimizer)) throw StepRefused{};
      return loss;
    });
  } catch (const StepRefused&) {
    return;
  }
  if (before.ended_finite()) return;
  before.put_back();
  guard_.undone(optimizer);
}

void Optimization::manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
  if (!closure) return step(optimizer, nullptr);
  step(optimizer, [&]() -> at::Tensor {
    at::Tensor loss;
    levin_status status;
    {
      const ValueScope<at::Tensor*> in_closure(closure_loss_, &loss);
      status = closure(ctx);
    }
    if (status < 0)
      throw Error(ErrorCode::model_failed, service_failure().empty()
                                               ? std::string("the closure failed: ") + status_name(status)
                                               : service_failure());
    return loss;
  });
}

Optimization::GradientFacts Optimization::prepare_step(uint32_t optimizer) {
  GradientFacts facts;
  facts.overflowed = !unscale_gradients(optimizer) && parts_.precision.may_overflow();
  if (parts_.plan.logging.track_grad_norm) log_grad_norms();
  parts_.hooks.fire(LEVIN_HOOK_BEFORE_OPTIMIZER_STEP, parts_.progress,
                    [&](levin_event& e) { e.optimizer_idx = optimizer; });
  facts.finite = clip_by_options(optimizer);
  if (const Optimizer* o = find(optimizer)) parts_.strategy.used_gradients(*o);
  return facts;
}

void Optimization::reduce_gradients(uint32_t optimizer) {
  const Optimizer* o = find(optimizer);
  if (!o) return;
  const at::NoGradGuard no_grad;
  const at::Tensor bad_loss = guard_.bad_loss(parts_.strategy.device());
  parts_.strategy.reduce_gradients(*o, bad_loss);
  guard_.share(bad_loss);
}

// Reduces and unscales the gradients. Returns false if one of them is not finite. In full precision they are not
// checked.
bool Optimization::unscale_gradients(uint32_t optimizer) {
  const bool several = parts_.strategy.several();
  const double factor = pass_ ? pass_->window.factor : 1.0;
  if (!several && parts_.precision.is_full_precision() && factor == 1.0) return true;
  bool finite = true;
  const at::NoGradGuard no_grad;
  if (several) reduce_gradients(optimizer);
  const std::vector<at::Tensor>& all = gradients(optimizer);
  if (!parts_.precision.is_full_precision()) finite = parts_.precision.unscale(all);
  if (factor != 1.0)
    for (const at::Tensor& g : all) g.mul_(factor);
  gradients_.clear();  // otherwise they would stay in memory beside those of the next backward
  return finite;
}

const std::vector<at::Tensor>& Optimization::gradients(uint32_t optimizer) {
  gradients_.clear();
  const Optimizer* o = find(optimizer);
  if (!o) return gradients_;
  for (const ParamGroup& group : o->groups())
    for (const at::Tensor& p : group.params)
      if (p.grad().defined()) gradients_.push_back(p.grad());
  return gradients_;
}

void Optimization::log_grad_norms() {
  for (const NamedTensor& norm : grad_norms(parts_.model.parameters(), *parts_.plan.logging.track_grad_norm)) {
    levin_log arguments{};
    arguments.size = sizeof arguments;
    arguments.on_step = 1;
    arguments.on_epoch = 0;
    arguments.logger = 1;
    arguments.add_dataloader_idx = 1;
    arguments.name = norm.name.c_str();
    arguments.tensor = borrow(norm.tensor);
    arguments.batch_size = -1;
    parts_.log.log(LogOrigin::training_step, arguments);
  }
}

}  // namespace levin::core
