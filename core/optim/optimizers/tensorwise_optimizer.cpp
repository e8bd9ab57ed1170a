#include "core/optim/optimizers/tensorwise_optimizer.hpp"

#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

at::Tensor real_view(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor;
}

}  // namespace

TensorwiseOptimizer::TensorwiseOptimizer(const OptimSpec& spec, const json& options, std::vector<StateSlot> slots)
    : BuiltinOptimizer(spec, options), slots_(std::move(slots)) {}

void TensorwiseOptimizer::on_group_added() {
  BuiltinOptimizer::on_group_added();
  states_.emplace_back(groups().back().params.size());
}

void TensorwiseOptimizer::visit_state(const StateVisitor& visit) {
  for (size_t g = 0; g < states_.size(); ++g) {
    for (size_t p = 0; p < states_[g].size(); ++p) {
      for (size_t i = 0; i < slots_.size(); ++i) {
        at::Tensor& tensor = states_[g][p].slots[i];
        if (tensor.defined()) visit(state_key(g, p, slots_[i].name), tensor);
      }
    }
  }
}

uint64_t TensorwiseOptimizer::expected_state_bytes() const {
  uint64_t bytes = 0;
  for (size_t g = 0; g < states_.size(); ++g) {
    const unsigned needed = needed_slots(options(g));
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (!(needed & (1u << i))) continue;
      for (const at::Tensor& p : groups()[g].params)
        bytes += slots_[i].size == StateSlot::Size::scalar ? sizeof(float) : p.nbytes();
    }
  }
  return bytes;
}

void TensorwiseOptimizer::do_step() {
  fused_.clear();  // a step that failed left its tensors
  for (size_t g = 0; g < states_.size(); ++g) step_group(g);
}

void TensorwiseOptimizer::step_group(size_t group) {
  const auto& params = groups()[group].params;
  const double* values = options(group);
  const bool fused = fuses(values);
  for (size_t i = 0; i < params.size(); ++i) {
    const at::Tensor& param = params[i];
    const at::Tensor& grad = param.grad();
    if (!grad.defined()) continue;
    State& state = states_[group][i];
    const bool fresh = create_state(values, param, state);
    ++state.steps;
    const StepFactors factors = step_factors(values, state, fresh);
    if (fused && fused_.add(param, grad, state.slots, state.steps, fresh)) continue;
    if (mask().defined() || !enqueue(param, grad, state, factors)) update_by_operators(values, factors, param, state);
  }
  fused_.run(mask(), [&](const FusedTensors& tensors, const at::Tensor& skip) { update_fused(values, tensors, skip); });
  run_queue(values);
}

at::Tensor TensorwiseOptimizer::gradient_of(const Tensors& t, bool maximize, double l2) {
  const at::Tensor gradient = maximize ? t.grad.neg() : t.grad;
  if (l2 == 0) return gradient;
  return (gradient.is_sparse() ? gradient.to_dense() : gradient).add(t.param, l2);
}

at::Tensor TensorwiseOptimizer::new_state(const at::Tensor& param, size_t slot) const {
  if (slots_[slot].size == StateSlot::Size::scalar) return at::zeros({}, at::kFloat);
  return at::zeros_like(param, param.options(), at::MemoryFormat::Preserve);
}

bool TensorwiseOptimizer::create_state(const double* values, const at::Tensor& param, State& state) const {
  const unsigned needed = needed_slots(values);
  bool fresh = false;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (!(needed & (1u << i)) || state.slots[i].defined()) continue;
    state.slots[i] = new_state(param, i);
    const double initial = initial_state(values, i);
    if (initial != 0) real_view(state.slots[i]).fill_(initial);
    fresh = true;
  }
  return fresh;
}

void TensorwiseOptimizer::update_by_operators(const double* values, const StepFactors& factors, const at::Tensor& param,
                                              State& state) const {
  at::Tensor grad = param.grad();
  if (grad.is_sparse() && !takes_sparse())
    throw Error(ErrorCode::optimizer_misconfigured,
                "optimizer '" + id() +
                    "' does not support sparse gradients; use sgd or adagrad, or an "
                    "embedding without sparse");
  Tensors tensors{real_view(param), real_view(grad), {}};
  for (size_t i = 0; i < max_state; ++i) tensors.state[i] = real_view(state.slots[i]);
  if (mask().defined()) return update_unless_masked(values, factors, tensors);
  update(values, factors, tensors);
}

// Only the device holds the decision to skip the step: both results are computed, and the device selects one of them.
void TensorwiseOptimizer::update_unless_masked(const double* values, const StepFactors& factors,
                                               Tensors& tensors) const {
  std::vector<std::pair<at::Tensor, at::Tensor>> before;  // changed tensors, and copies of them from before
  before.emplace_back(tensors.param, tensors.param.clone());
  for (size_t i = 0; i < slots_.size(); ++i)
    if (tensors.state[i].defined() && slots_[i].size == StateSlot::Size::parameter)
      before.emplace_back(tensors.state[i], tensors.state[i].clone());
  update(values, factors, tensors);
  for (auto& [changed, was] : before)
    changed.copy_(at::where(mask().to(was.device(), /*non_blocking=*/true), was, changed));
}

json TensorwiseOptimizer::group_values(size_t group) const {
  json values = BuiltinOptimizer::group_values(group);
  values["steps"] = json::array();
  for (const auto& state : states_[group]) values["steps"].push_back(state.steps);
  return values;
}

void TensorwiseOptimizer::load_group_values(size_t group, const json& values) {
  const auto steps = values.at("steps").get<std::vector<int64_t>>();
  if (steps.size() != states_[group].size())
    throw Error(ErrorCode::checkpoint_state_refused,
                "optimizer '" + id() + "': the saved state does not fit: step counts are missing");
  BuiltinOptimizer::load_group_values(group, values);
  for (size_t i = 0; i < steps.size(); ++i) states_[group][i] = State{steps[i], {}};
}

bool TensorwiseOptimizer::load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slot != slots_[i].name) continue;
    at::Tensor loaded = new_state(groups()[group].params[param], i);
    if (loaded.sizes() != value.sizes())
      throw Error(ErrorCode::checkpoint_state_refused, "optimizer '" + id() + "': the saved " +
                                                           state_key(group, param, slots_[i].name) +
                                                           " differs in shape from its parameter");
    loaded.copy_(value);
    states_[group][param].slots[i] = std::move(loaded);
    return true;
  }
  return false;
}

}  // namespace levin::core
