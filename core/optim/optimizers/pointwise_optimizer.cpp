#include "core/optim/optimizers/pointwise_optimizer.hpp"

#include <algorithm>

#include "core/optim/optimizers/parallel_ranges.hpp"

namespace levin::core {
namespace {

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

}  // namespace

void PointwiseOptimizer::on_group_added() {
  TensorwiseOptimizer::on_group_added();
  slices_.reserve(std::max(slices_.capacity(), groups().back().params.size()));
}

void PointwiseOptimizer::do_step() {
  slices_.clear();  // a step that failed left its slices
  TensorwiseOptimizer::do_step();
}

// Returns false if the kernels cannot update these tensors.
bool PointwiseOptimizer::fill(TensorSlice& slice, const at::Tensor& param, const at::Tensor& grad,
                              const State& state) const {
  if (!fits_kernels(param) || !fits_kernels(grad) || !same_order(param, grad)) return false;
  for (size_t i = 0; i < slots().size(); ++i) {
    const at::Tensor& tensor = state.slots[i];
    if (!tensor.defined() || slots()[i].size == StateSlot::Size::scalar) continue;
    if (!fits_kernels(tensor) || !same_order(param, tensor)) return false;
    slice.state[i] = tensor.data_ptr();
  }
  slice.param = param.data_ptr();
  slice.grad = grad.data_ptr();
  slice.elements = param.numel();
  slice.f64 = param.scalar_type() == at::kDouble;
  return true;
}

bool PointwiseOptimizer::enqueue(const at::Tensor& param, const at::Tensor& grad, const State& state,
                                 const StepFactors& factors) {
  TensorSlice slice;
  if (!fill(slice, param, grad, state)) return false;
  // Autograd does not see the kernel's writes. The new version lets it detect graphs that still need the old values.
  param.unsafeGetTensorImpl()->bump_version();
  slice.factors = factors;
  slice.offset = slices_.empty() ? 0 : slices_.back().offset + slices_.back().elements;
  slices_.push_back(slice);
  return true;
}

void PointwiseOptimizer::run_queue(const double* values) {
  if (slices_.empty()) return;
  const int64_t total = slices_.back().offset + slices_.back().elements;
  parallel_ranges(total, [this, values](int64_t begin, int64_t end) {
    auto slice = std::upper_bound(slices_.begin(), slices_.end(), begin,
                                  [](int64_t at, const TensorSlice& s) { return at < s.offset + s.elements; });
    for (; slice != slices_.end() && slice->offset < end; ++slice)
      kernel(values, *slice, std::max<int64_t>(0, begin - slice->offset),
             std::min(slice->elements, end - slice->offset));
  });
  slices_.clear();
}

}  // namespace levin::core
