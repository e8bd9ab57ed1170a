// Targets of a classification: class indices [B, ...], or probabilities [B, classes, ...], as mixup and cutmix make
// them.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nll_loss_nd.h>

#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

inline bool has_probabilities(const at::Tensor& target, const at::Tensor& scores) {
  return target.defined() && target.is_floating_point() && target.sizes() == scores.sizes();
}
// Returns the class indices, for metrics; of probabilities the most probable class.
inline at::Tensor class_indices(const at::Tensor& target, const at::Tensor& scores) {
  return has_probabilities(target, scores) ? target.argmax(1) : target;
}
// Returns the mean negative log-likelihood of the targets. weights: one a class, or undefined. at::cross_entropy_loss
// takes both kinds of targets itself.
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
