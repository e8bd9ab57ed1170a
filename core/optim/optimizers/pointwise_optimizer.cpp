#include "core/optim/optimizers/pointwise_optimizer.hpp"

#include <ATen/ops/full_like.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/optim/optimizers/parallel_ranges.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns true if the elements of both lie in memory in the same order and without gaps.
bool same_order(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() != b.numel() || a.scalar_type() != b.scalar_type()) return false;
  if (a.is_contiguous() && b.is_contiguous()) return true;
  return a.is_non_overlapping_and_dense() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

bool fits_kernels(const at::Tensor& tensor) {
  const auto dtype = tensor.scalar_type();
  return tensor.device().is_cpu() && tensor.layout() == at::kStrided && (dtype == at::kFloat || dtype == at::kDouble);
}

// Returns false if the kernels cannot update these tensors.
bool fill_slice(const at::Tensor& param, const at::Tensor& grad, const at::Tensor* state, TensorSlice& slice) {
  if (!fits_kernels(param) || !fits_kernels(grad) || !same_order(param, grad)) return false;
  for (size_t i = 0; i < slice.state.size(); ++i) {
    if (!state[i].defined()) continue;
    if (!fits_kernels(state[i]) || !same_order(param, state[i])) return false;
    slice.state[i] = state[i].data_ptr();
  }
  slice.param = param.data_ptr();
  slice.grad = grad.data_ptr();
  slice.elements = param.numel();
  slice.f64 = param.scalar_type() == at::kDouble;
  return true;
}

at::Tensor real_view(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor;
}

}  // namespace

PointwiseOptimizer::PointwiseOptimizer(const OptimSpec& spec, const json& options, std::vector<const char*> slots)
    : BuiltinOptimizer(spec, options), slot_names_(std::move(slots)) {}

void PointwiseOptimizer::on_group_added() {
  BuiltinOptimizer::on_group_added();
  const size_t n = groups().back().params.size();
  states_.emplace_back(n);
  slices_.reserve(std::max(slices_.capacity(), n));
}

void PointwiseOptimizer::visit_state(const StateVisitor& visit) {
  for (size_t g = 0; g < states_.size(); ++g) {
    for (size_t p = 0; p < states_[g].size(); ++p) {
      for (size_t i = 0; i < slot_names_.size(); ++i) {
        at::Tensor& tensor = states_[g][p].slots[i];
        if (tensor.defined()) visit(state_key(g, p, slot_names_[i]), tensor);
      }
    }
  }
}

uint64_t PointwiseOptimizer::expected_state_bytes() const {
  uint64_t bytes = 0;
  for (size_t g = 0; g < states_.size(); ++g) {
    const unsigned needed = needed_slots(options(g));
    for (size_t i = 0; i < slot_names_.size(); ++i)
      for (const at::Tensor& p : groups()[g].params) bytes += needed & (1u << i) ? p.nbytes() : 0;
  }
  return bytes;
}

void PointwiseOptimizer::do_step() {
  for (size_t g = 0; g < states_.size(); ++g) step_group(g);
}

void PointwiseOptimizer::step_group(size_t group) {
  const auto& params = groups()[group].params;
  const double* values = options(group);
  slices_.clear();
  int64_t total = 0;
  for (size_t i = 0; i < params.size(); ++i) {
    const at::Tensor& param = params[i];
    const at::Tensor& grad = param.grad();
    if (!grad.defined()) continue;
    State& state = states_[group][i];
    const bool fresh = create_state(values, param, state);
    TensorSlice slice;
    slice.factors = step_factors(values, ++state.steps, fresh);
    if (mask().defined() || !fill_slice(param, grad, state.slots.data(), slice)) {
      update_by_operators(values, slice.factors, param, state);
      continue;
    }
    // Autograd does not see the kernel's writes. The new version lets it detect graphs that still need the old values.
    param.unsafeGetTensorImpl()->bump_version();
    slice.offset = total;
    total += slice.elements;
    slices_.push_back(slice);
  }
  run(values);
}

bool PointwiseOptimizer::create_state(const double* values, const at::Tensor& param, State& state) const {
  const unsigned needed = needed_slots(values);
  bool fresh = false;
  for (size_t i = 0; i < slot_names_.size(); ++i) {
    if (!(needed & (1u << i)) || state.slots[i].defined()) continue;
    state.slots[i] = at::zeros_like(param, param.options(), at::MemoryFormat::Preserve);
    if (initial_state(values) != 0) real_view(state.slots[i]).fill_(initial_state(values));
    fresh = true;
  }
  return fresh;
}

void PointwiseOptimizer::update_by_operators(const double* values, const StepFactors& factors, const at::Tensor& param,
                                             State& state) const {
  at::Tensor grad = param.grad();
  if (grad.is_sparse() && !takes_sparse())
    throw Error(ErrorKind::usage, "optimizer '" + id() +
                                      "' does not support sparse gradients; use sgd or adagrad, or an "
                                      "embedding without sparse");
  Tensors tensors{real_view(param), real_view(grad), {}};
  for (size_t i = 0; i < max_state; ++i) tensors.state[i] = real_view(state.slots[i]);
  if (mask().defined()) return update_unless_masked(values, factors, tensors);
  update(values, factors, tensors);
}

// Only the device holds the decision to skip the step: both results are computed, and the device selects one of them.
void PointwiseOptimizer::update_unless_masked(const double* values, const StepFactors& factors,
                                              Tensors& tensors) const {
  std::vector<std::pair<at::Tensor, at::Tensor>> before;  // changed tensors, and copies of them from before
  before.emplace_back(tensors.param, tensors.param.clone());
  for (const at::Tensor& state : tensors.state)
    if (state.defined()) before.emplace_back(state, state.clone());
  update(values, factors, tensors);
  for (auto& [changed, was] : before)
    changed.copy_(at::where(mask().to(was.device(), /*non_blocking=*/true), was, changed));
}

void PointwiseOptimizer::run(const double* values) const {
  if (slices_.empty()) return;
  const int64_t total = slices_.back().offset + slices_.back().elements;
  parallel_ranges(total, [this, values](int64_t begin, int64_t end) {
    auto slice = std::upper_bound(slices_.begin(), slices_.end(), begin,
                                  [](int64_t at, const TensorSlice& s) { return at < s.offset + s.elements; });
    for (; slice != slices_.end() && slice->offset < end; ++slice)
      kernel(values, *slice, std::max<int64_t>(0, begin - slice->offset),
             std::min(slice->elements, end - slice->offset));
  });
}

json PointwiseOptimizer::group_values(size_t group) const {
  json values = BuiltinOptimizer::group_values(group);
  values["steps"] = json::array();
  for (const auto& state : states_[group]) values["steps"].push_back(state.steps);
  return values;
}

void PointwiseOptimizer::load_group_values(size_t group, const json& values) {
  const auto steps = values.at("steps").get<std::vector<int64_t>>();
  if (steps.size() != states_[group].size())
    throw Error(ErrorKind::checkpoint,
                "optimizer '" + id() + "': the saved state does not fit: step counts are missing");
  BuiltinOptimizer::load_group_values(group, values);
  for (size_t i = 0; i < steps.size(); ++i) states_[group][i] = State{steps[i], {}};
}

bool PointwiseOptimizer::load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) {
  for (size_t i = 0; i < slot_names_.size(); ++i) {
    if (slot != slot_names_[i]) continue;
    const at::Tensor& owner = groups()[group].params[param];
    if (owner.sizes() != value.sizes())
      throw Error(ErrorKind::checkpoint, "optimizer '" + id() + "': the saved " +
                                             state_key(group, param, slot_names_[i]) +
                                             " differs in shape from its parameter");
    at::Tensor& tensor = states_[group][param].slots[i];
    tensor = at::zeros_like(owner, owner.options(), at::MemoryFormat::Preserve);
    tensor.copy_(value);
    return true;
  }
  return false;
}

}  // namespace levin::core
