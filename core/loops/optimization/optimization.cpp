#include "core/loops/optimization/optimization.hpp"

#include <cmath>

#include "core/base/error.hpp"
#include "core/components/failure.hpp"
#include "core/components/tensor_handle.hpp"
#include "core/logging/log_rules.hpp"
#include "core/optim/gradient_checks.hpp"
#include "core/services/run_interface.hpp"

namespace levin::core {

void Optimization::forward(const levin_step_in& in, StepOutputs& out) {
  const Dispatcher::OriginScope scope(p_.hooks, training_step);
  if (p_.precision.plain())
    p_.model.step(in, out);
  else
    p_.precision.forward([&] { p_.model.step(in, out); });
  if (!out.loss.defined() && !out.named.empty() && !p_.model.manual_optimization())
    throw Error(ErrorKind::run, p_.model.plugin() + ": training_step returned '" + out.named.front().name +
                                    "' but no 'loss'; return the loss too, or nothing at all");
}

levin_optim_call Optimization::call(uint32_t optimizer) const {
  const Position& at = p_.hooks.position();
  levin_optim_call c{};
  c.size = sizeof c;
  c.run = p_.hooks.run();
  c.epoch = at.epoch;
  c.batch_idx = at.batch_idx;
  c.optimizer_idx = optimizer;
  c.scheduler_idx = -1;
  c.metric = std::nan("");
  c.clip_val = plan_.gradient_clip_val.value_or(std::nan(""));
  c.clip_algorithm = plan_.gradient_clip_algorithm ? name_of(*plan_.gradient_clip_algorithm) : nullptr;
  return c;
}

// What LibTorch would say of it names neither the model nor the step.
void Optimization::check_loss(const at::Tensor& loss) const {
  if (LEVIN_HAS(levin_model, &p_.model.table(), backward) || (loss.numel() == 1 && loss.requires_grad())) return;
  const std::string wrong =
      loss.numel() != 1 ? "has the shape " + c10::str(loss.sizes()) + "; it has to be one number, as .mean() gives"
                        : "does not depend on a parameter that requires grad: was it detached, or is all frozen?";
  throw Error(ErrorKind::run, p_.model.plugin() + ": " + p_.model.instance() + ".training_step: the loss " + wrong);
}

void Optimization::forward_backward(const BatchPlan& batch, StepOutputs& out) {
  forward(*batch.in, out);
  if (batch.window_start) zero_grad_with_hooks(batch.optimizer);
  if (!out.loss.defined()) return;
  check_loss(out.loss);
  const at::Tensor loss = batch.accumulate > 1 ? out.loss / batch.accumulate : out.loss;
  try {
    backward(loss, false);
  } catch (const c10::Error& e) {
    throw Error(ErrorKind::run, p_.model.plugin() + ": " + p_.model.instance() + ": backward of the loss: " + brief(e));
  }
}

void Optimization::zero_grad_with_hooks(uint32_t optimizer) {
  p_.progress.zero_grad.raise(&Counter::ready);
  p_.hooks.fire(LEVIN_HOOK_BEFORE_ZERO_GRAD, [&](levin_event& e) { e.optimizer_idx = optimizer; });
  p_.progress.zero_grad.raise(&Counter::started);
  const levin_model* table = &p_.model.table();
  if (LEVIN_HAS(levin_model, table, optimizer_zero_grad)) {
    const Dispatcher::OriginScope scope(p_.hooks, optimizer_zero_grad);
    const levin_optim_call c = call(optimizer);
    p_.model.invoke("optimizer_zero_grad", [&] { return table->optimizer_zero_grad(p_.model.self(), &c); });
  } else {
    zero_grad(optimizer);
  }
  p_.progress.zero_grad.raise(&Counter::completed);
}

void Optimization::backward(const at::Tensor& loss, bool retain_graph) {
  if (in_closure_) last_loss_ = loss.detach();
  const auto with_loss = [&](levin_event& e) { e.loss = borrow(loss); };
  p_.hooks.fire(LEVIN_HOOK_BEFORE_BACKWARD, with_loss);
  const at::Tensor scaled = p_.precision.plain() ? loss : p_.precision.scale(loss);
  const levin_model* table = &p_.model.table();
  if (LEVIN_HAS(levin_model, table, backward) && p_.hooks.origin() != core::backward) {
    const Dispatcher::OriginScope scope(p_.hooks, core::backward);
    levin_optim_call c = call(turn_);
    c.loss = borrow(scaled);
    p_.model.invoke("backward", [&] { return table->backward(p_.model.self(), &c); });
  } else {
    p_.strategy.backward(scaled, retain_graph);
  }
  p_.hooks.fire(LEVIN_HOOK_AFTER_BACKWARD);
}

// Of a run that has none, the first is one that has no parameters: all hooks of a step come, and nothing moves.
Optimizer* Optimization::find(uint32_t optimizer) const {
  if (optimizer == 0 && p_.optimizers.optimizers().empty()) return nullptr;
  return &p_.optimizers.optimizer(optimizer);
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

void Optimization::clip(uint32_t optimizer, double value, const std::string& algorithm) {
  const Optimizer* o = find(optimizer);
  if (!o) return;
  if (algorithm == "value") return clipper_.clip_value(*o, value);
  if (algorithm != "norm" && !algorithm.empty())
    throw Error(ErrorKind::usage, "gradient clipping '" + algorithm + "' is unknown; valid: norm, value");
  clipper_.clip_norm(*o, value);
}

void Optimization::clip_by_plan(uint32_t optimizer) {
  const levin_model* table = &p_.model.table();
  if (LEVIN_HAS(levin_model, table, configure_gradient_clipping)) {
    const Dispatcher::OriginScope scope(p_.hooks, configure_gradient_clipping);
    const levin_optim_call c = call(optimizer);
    p_.model.invoke("configure_gradient_clipping",
                    [&] { return table->configure_gradient_clipping(p_.model.self(), &c); });
  } else if (plan_.gradient_clip_val && *plan_.gradient_clip_val > 0) {
    clip(optimizer, *plan_.gradient_clip_val,
         name_of(plan_.gradient_clip_algorithm.value_or(GradientClipAlgorithm::norm)));
  }
}

// False: the gradients overflowed, and the step is to be left out.
bool Optimization::before_step(uint32_t optimizer) {
  bool finite = true;
  const bool ranks = p_.strategy.world_size() > 1;
  if (ranks || !p_.precision.plain() || factor_ != 1.0) {
    const at::NoGradGuard no_grad;
    const std::vector<at::Tensor>& all = gradients(optimizer);
    if (ranks) p_.strategy.reduce_gradients(all);
    if (!p_.precision.plain()) finite = p_.precision.unscale(all);
    if (factor_ != 1.0)
      for (const at::Tensor& g : all) g.mul_(factor_);
    gradients_.clear();  // or they would live on beside those of the next backward
  }
  if (plan_.track_grad_norm) log_grad_norms();
  p_.hooks.fire(LEVIN_HOOK_BEFORE_OPTIMIZER_STEP, [&](levin_event& e) { e.optimizer_idx = optimizer; });
  if (!p_.model.manual_optimization()) clip_by_plan(optimizer);
  return finite;
}

void Optimization::log_grad_norms() {
  const Dispatcher::OriginScope scope(p_.hooks, core::training_step);
  for (const NamedTensor& norm : grad_norms(p_.model.parameters(), *plan_.track_grad_norm)) {
    levin_log arguments{};
    arguments.size = sizeof arguments;
    arguments.on_step = 1;
    arguments.on_epoch = 0;
    arguments.logger = 1;
    arguments.add_dataloader_idx = 1;
    arguments.name = norm.name.c_str();
    arguments.tensor = borrow(norm.tensor);
    arguments.batch_size = -1;
    p_.hooks.run()->log(arguments);
  }
}

void Optimization::step(uint32_t index, const Optimizer::Closure& closure) {
  Optimizer* optimizer = find(index);
  if (optimizer && optimizer->needs_closure() && closure) {
    if (!p_.precision.plain())
      throw Error(ErrorKind::usage,
                  "optimizer '" + optimizer->id() + "' does not work with mixed precision; use 32-true");
    optimizer->step([&] {
      const at::Tensor loss = closure();
      before_step(index);
      return loss;
    });
    return;
  }
  if (closure) closure();
  if (before_step(index) && optimizer) optimizer->step();
  if (!p_.precision.plain()) p_.precision.stepped();
}

void Optimization::zero_grad(uint32_t optimizer) {
  if (Optimizer* o = find(optimizer)) o->zero_grad();
}

void Optimization::step_from_override(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
  if (!closure) return step(optimizer, nullptr);
  step(optimizer, [&]() -> at::Tensor {
    in_closure_ = true;
    const levin_status status = closure(ctx);
    in_closure_ = false;
    if (status < 0)
      throw Error(ErrorKind::run, service_failure().empty() ? std::string("the closure failed: ") + status_name(status)
                                                            : service_failure());
    return last_loss_.defined() ? last_loss_ : at::zeros({});
  });
}

bool Optimization::run(const BatchPlan& batch, StepOutputs& out) {
  turn_ = batch.optimizer;
  factor_ = batch.factor;
  if (!batch.steps) {
    forward_backward(batch, out);
    return false;
  }
  p_.progress.step.raise(&Counter::ready);
  run_step(batch, out);
  p_.progress.step.raise(&Counter::completed);
  ++p_.hooks.position().global_step;
  return true;
}

void Optimization::run_step(const BatchPlan& batch, StepOutputs& out) {
  const levin_model* table = &p_.model.table();
  const bool overridden = LEVIN_HAS(levin_model, table, optimizer_step);
  const Optimizer* optimizer = find(turn_);
  if (!overridden && !(optimizer && optimizer->needs_closure())) {
    forward_backward(batch, out);
    return step(turn_, nullptr);
  }
  const auto closure = [&] {
    forward_backward(batch, out);
    return out.loss;
  };
  if (!overridden) return step(turn_, closure);
  const std::function<void()> full = [&] { closure(); };
  levin_optim_call c = call(turn_);
  c.ctx = const_cast<std::function<void()>*>(&full);
  c.closure = [](void* ctx) { return serve([&] { (*static_cast<std::function<void()>*>(ctx))(); }); };
  const Dispatcher::OriginScope scope(p_.hooks, optimizer_step);
  p_.model.invoke("optimizer_step", [&] { return table->optimizer_step(p_.model.self(), &c); });
}

void Optimization::run_manual(const levin_step_in& in, StepOutputs& out) { forward(in, out); }

}  // namespace levin::core
