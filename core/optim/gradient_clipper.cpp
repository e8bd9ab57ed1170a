#include "core/optim/gradient_clipper.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "core/abi/torch_compat.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {
namespace {

constexpr double epsilon = 1e-6;

template <class F>
void for_each_grad(const Optimizer& optimizer, const F& f) {
  for (const auto& group : optimizer.groups()) {
    for (const auto& param : group.params) {
      if (param.grad().defined()) f(param.grad());
    }
  }
}

// Returns the gradients if all are dense and on one GPU, where one operator takes all of them; else none.
std::vector<at::Tensor> grads_of_one_device(const Optimizer& optimizer) {
  std::vector<at::Tensor> grads;
  bool same = true;
  for_each_grad(optimizer, [&](const at::Tensor& grad) {
    if (!grads.empty())
      same = same && grad.options().type_equal(grads[0].options()) && grad.device() == grads[0].device();
    same = same && grad.is_cuda() && grad.layout() == at::kStrided && at::isFloatingType(grad.scalar_type());
    grads.push_back(grad);
  });
  if (!same) grads.clear();
  return grads;
}

// Computes the norm by LibTorch's operators, on the device of the first gradient.
at::Tensor norm_by_operators(const Optimizer& optimizer) {
  const std::vector<at::Tensor> together = grads_of_one_device(optimizer);
  if (!together.empty()) return at::stack(at::_foreach_norm(together, 2)).norm(2);
  std::vector<at::Tensor> norms;
  for_each_grad(optimizer, [&](const at::Tensor& grad) {
    const at::Tensor values = grad.is_sparse() ? grad.coalesce().values() : grad;
    const at::Tensor norm = values.norm(2);
    norms.push_back(norms.empty() ? norm : norm.to(norms[0].options(), true));
  });
  return norms.empty() ? at::zeros({}) : at::stack(norms).norm(2);
}

void check_limit(double limit) {
  if (std::isfinite(limit) && limit >= 0) return;
  throw Error(ErrorCode::option_value_invalid,
              "gradient clipping needs a finite value of 0 or more, not " + std::to_string(limit));
}

}  // namespace

double GradNorm::value() const { return tensor_.defined() ? tensor_.item<double>() : value_; }

bool GradientClipper::collect(const Optimizer& optimizer) {
  slices_.clear();
  bool all = true;
  for_each_grad(optimizer, [&](const at::Tensor& grad) {
    const auto dtype = grad.scalar_type();
    const bool plain = grad.device().is_cpu() && grad.layout() == at::kStrided &&
                       (dtype == at::kFloat || dtype == at::kDouble) &&
                       (grad.is_contiguous() || grad.is_non_overlapping_and_dense());
    all = all && plain;
    if (plain) slices_.push_back({grad.data_ptr(), grad.numel(), dtype == at::kDouble});
  });
  return all;
}

GradNorm GradientClipper::norm(const Optimizer& optimizer) {
  const at::NoGradGuard no_grad;
  if (!collect(optimizer)) return GradNorm(norm_by_operators(optimizer));
  double sum = 0;
  for (const auto& slice : slices_) sum += sum_of_squares(slice.data, slice.f64, 0, slice.elements);
  return GradNorm(std::sqrt(sum));
}

GradNorm GradientClipper::clip_norm(const Optimizer& optimizer, double max_norm) {
  check_limit(max_norm);
  const GradNorm total = norm(optimizer);
  const at::NoGradGuard no_grad;
  if (total.tensor().defined()) {
    const at::Tensor factor = (max_norm / (total.tensor() + epsilon)).clamp_max(1.0);
    const std::vector<at::Tensor> together = grads_of_one_device(optimizer);
    if (!together.empty())
      multiply_all(together, factor);
    else
      for_each_grad(optimizer, [&](const at::Tensor& grad) { grad.mul_(factor.to(grad.device(), true)); });
    return total;
  }
  const double factor = max_norm / (total.value() + epsilon);
  if (factor >= 1) return total;  // a NaN factor fails this test and spreads to all gradients
  for (const auto& slice : slices_) scale_kernel(slice.data, slice.f64, 0, slice.elements, factor);
  return total;
}

void GradientClipper::clip_value(const Optimizer& optimizer, double value) {
  check_limit(value);
  const at::NoGradGuard no_grad;
  if (!collect(optimizer)) {
    for_each_grad(optimizer, [&](const at::Tensor& grad) { grad.clamp_(-value, value); });
    return;
  }
  for (const auto& slice : slices_) clamp_kernel(slice.data, slice.f64, 0, slice.elements, value);
}

std::vector<NamedTensor> grad_norms(const std::vector<NamedTensor>& parameters, double p) {
  const at::NoGradGuard no_grad;
  const std::string prefix = "grad_" + (std::isinf(p) ? "inf" : show(p)) + "_norm";
  std::vector<NamedTensor> out;
  std::vector<at::Tensor> norms;
  for (const NamedTensor& parameter : parameters) {
    const at::Tensor& grad = parameter.tensor.grad();
    if (!grad.defined()) continue;
    const at::Tensor norm = at::linalg_vector_norm(grad, p);
    out.push_back({prefix + "/" + parameter.name, norm});
    norms.push_back(norms.empty() ? norm : norm.to(norms[0].options(), true));
  }
  if (!norms.empty()) out.push_back({prefix + "_total", at::linalg_vector_norm(at::stack(norms), p)});
  return out;
}

}  // namespace levin::core
