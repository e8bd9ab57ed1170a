#include "core/optim/optimizers/fused_queue.hpp"

#include <ATen/ops/full.h>

#include <algorithm>

#include "core/abi/torch_compat.hpp"

namespace levin::core {
namespace {

bool alike(const at::Tensor& a, const at::Tensor& b) {
  return a.device() == b.device() && a.scalar_type() == b.scalar_type() && a.layout() == at::kStrided &&
         a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace

FusedQueue::Batch& FusedQueue::batch_of(const at::Tensor& param, int64_t step, bool fresh) {
  for (Batch& b : batches_)
    if (b.step == step && b.tensors.fresh == fresh && b.dtype == param.scalar_type() && b.device == param.device())
      return b;
  batches_.push_back({param.device(), param.scalar_type(), step, {}});
  batches_.back().tensors.fresh = fresh;
  return batches_.back();
}

bool FusedQueue::add(const at::Tensor& param, const at::Tensor& grad,
                     const std::array<at::Tensor, most_fused_states>& state, int64_t step, bool fresh) {
  if (!has_fused_optimizers || !param.is_cuda() || param.layout() != at::kStrided || !alike(grad, param)) return false;
  if (!at::isFloatingType(param.scalar_type()) || !param.is_non_overlapping_and_dense()) return false;
  for (const at::Tensor& s : state)
    if (s.defined() && !alike(s, param)) return false;
  FusedTensors& tensors = batch_of(param, step, fresh).tensors;
  tensors.params.push_back(param);
  tensors.grads.push_back(grad);
  for (size_t i = 0; i < state.size(); ++i)
    if (state[i].defined()) tensors.state[i].push_back(state[i]);
  return true;
}

void FusedQueue::set_steps(Batch& batch) {
  auto found =
      std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.value.device() == batch.device; });
  if (found == counts_.end())
    found = counts_.insert(found, {at::full({}, -1.0, at::TensorOptions(at::kFloat).device(batch.device)), -1});
  if (found->known + 1 == batch.step)
    found->value.add_(1);
  else if (found->known != batch.step)
    found->value.fill_(static_cast<double>(batch.step));
  found->known = batch.step;
  batch.tensors.steps.assign(batch.tensors.params.size(), found->value);
}

at::Tensor FusedQueue::flag_on(const at::Tensor& skip, at::Device device) {
  if (!skip.defined()) return {};
  return skip.to(at::TensorOptions(at::kFloat).device(device), /*non_blocking=*/true);
}

}  // namespace levin::core
