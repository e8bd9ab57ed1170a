// Targets of a classification: class indices [B, ...], or the probabilities [B, classes, ...] of mixup and cutmix.
#pragma once
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nll_loss_nd.h>

#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

// Returns true if the target holds probabilities for these scores.
inline bool has_probabilities(const at::Tensor& target, const at::Tensor& scores) {
  return target.defined() && target.is_floating_point() && target.sizes() == scores.sizes();
}
// Returns class indices for metrics: the target itself, or the most probable classes.
inline at::Tensor class_indices(const at::Tensor& target, const at::Tensor& scores) {
  return has_probabilities(target, scores) ? target.argmax(1) : target;
}
// Returns the mean negative log-likelihood of either kind of target; at::cross_entropy_loss takes both kinds as they
// are. weights: one for each class, or undefined.
inline at::Tensor nll_loss_of(const at::Tensor& log_probabilities, const at::Tensor& target,
                              const at::Tensor& weights) {
  if (!has_probabilities(target, log_probabilities)) return at::nll_loss_nd(log_probabilities, target, weights);
  std::vector<int64_t> along_classes(static_cast<size_t>(target.dim()), 1);
  along_classes[1] = -1;
  const at::Tensor weighted = weights.defined() ? log_probabilities * weights.view(along_classes) : log_probabilities;
  return -(target * weighted).sum(1).mean();
}

}  // namespace levin
#pragma GCC visibility pop
