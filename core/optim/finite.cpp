#include "core/optim/finite.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/view_as_real.h>

#include <atomic>

#include "core/base/error.hpp"
#include "core/optim/optimizers/parallel_ranges.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {
namespace {

constexpr int64_t too_few_for_threads = 1 << 17;

bool memory_is_finite(const void* data, bool f64, int64_t elements) {
  if (elements < too_few_for_threads) return finite_kernel(data, f64, 0, elements);
  std::atomic<bool> finite{true};
  parallel_ranges(elements, [&](int64_t begin, int64_t end) {
    if (!finite_kernel(data, f64, begin, end)) finite.store(false, std::memory_order_relaxed);
  });
  return finite;
}

bool finite_by_operators(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  return at::isfinite(tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor).all().item<bool>();
}

}  // namespace

bool is_on_device(const Optimizer& optimizer) {
  for (const ParamGroup& group : optimizer.groups())
    for (const at::Tensor& p : group.params) return !p.device().is_cpu();
  return false;
}

bool is_finite(const at::Tensor& tensor) {
  if (!tensor.defined()) return true;
  const at::ScalarType type = tensor.scalar_type();
  const bool plain = (type == at::kFloat || type == at::kDouble) && tensor.layout() == at::kStrided &&
                     tensor.device().is_cpu() && (tensor.is_contiguous() || tensor.is_non_overlapping_and_dense());
  if (plain) return memory_is_finite(tensor.data_ptr(), type == at::kDouble, tensor.numel());
  if (tensor.is_sparse()) return is_finite(tensor._values());
  if (!at::isFloatingType(type) && !at::isComplexType(type)) return true;
  return finite_by_operators(tensor.detach());
}

bool gradients_are_finite(const Optimizer& optimizer) {
  for (const ParamGroup& group : optimizer.groups())
    for (const at::Tensor& p : group.params)
      if (!is_finite(p.grad())) return false;
  return true;
}

std::vector<std::string> non_finite_gradients(const Optimizer& optimizer) {
  std::vector<std::string> names;
  for (const ParamGroup& group : optimizer.groups())
    for (size_t i = 0; i < group.params.size(); ++i)
      if (!is_finite(group.params[i].grad())) names.push_back(group.names[i]);
  return names;
}

std::string first_non_finite(const std::vector<NamedTensor>& parameters) {
  for (const NamedTensor& p : parameters)
    if (p.tensor.requires_grad() && !is_finite(p.tensor)) return p.name;
  return "";
}

std::string first_nan(const std::vector<NamedTensor>& buffers) {
  const at::NoGradGuard no_grad;
  for (const NamedTensor& b : buffers)
    if (!is_finite(b.tensor) && at::isnan(b.tensor).any().item<bool>()) return b.name;
  return "";
}

void check_finite(const at::Tensor& loss, const std::vector<NamedTensor>& parameters, const std::string& where) {
  const at::NoGradGuard no_grad;
  const std::string option = " (" + where + "); trainer.terminate_on_nan ends the run";
  if (loss.defined() && !is_finite(loss))
    throw PlacedError(ErrorCode::loss_not_finite, "the loss that training_step returned is not finite" + option);
  for (const NamedTensor& p : parameters)
    if (!is_finite(p.tensor))
      throw PlacedError(ErrorCode::parameter_not_finite, "parameter '" + p.name + "' is not finite" + option);
}

}  // namespace levin::core
