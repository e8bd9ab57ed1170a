// Targets of a classification: class indices [B, ...], or probabilities [B, classes, ...], as mixup and cutmix make
// them.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nll_loss.h>

#pragma GCC visibility push(hidden)
namespace levin {

inline bool has_probabilities(const at::Tensor& target, const at::Tensor& scores) {
  return target.defined() && target.is_floating_point() && target.sizes() == scores.sizes();
}
// Returns the class indices, for metrics; of probabilities the most probable class.
inline at::Tensor class_indices(const at::Tensor& target, const at::Tensor& scores) {
  return has_probabilities(target, scores) ? target.argmax(1) : target;
}
// Returns the mean negative log-likelihood of the targets. at::cross_entropy_loss takes both kinds of targets itself.
inline at::Tensor nll_loss_of(const at::Tensor& log_probabilities, const at::Tensor& target) {
  if (!has_probabilities(target, log_probabilities)) return at::nll_loss(log_probabilities, target);
  return -(target * log_probabilities).sum(1).mean();
}

}  // namespace levin
#pragma GCC visibility pop
