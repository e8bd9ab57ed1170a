// Synchronized batch norm: statistics over the batches of all ranks, for modules that use LibTorch's batch norm.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace levin::core {

struct BatchNormRanks {
  int rank = 0;
  int size = 1;
  // All-reduces (sum) a tensor of doubles in place, bit-identical on all ranks. The tensor is on the device of the
  // batch. Called from the computing thread in forward and backward, equally often on each rank.
  std::function<void(const at::Tensor&)> sum;
};

// While it exists, every batch norm in training mode on this thread uses the statistics of the batches of all ranks. So
// does its backward pass, whenever and on whatever thread it runs. Running statistics become those of one process with
// the whole batch. Batches may differ in size; a rank may have one row, or none. Gradients of weight and bias are sums
// over the rank's own rows; the gradient of the input is that of the sum of all ranks' losses. Therefore the mean over
// ranks of a parameter's gradients is the gradient of the ranks' mean loss: the averaging of data parallel is correct
// without a factor. nullptr = LibTorch's own batch norm, as without a scope. Instance norm is never synchronized.
class SyncBatchNormScope {
 public:
  explicit SyncBatchNormScope(std::shared_ptr<const BatchNormRanks> ranks);
  ~SyncBatchNormScope();
  SyncBatchNormScope(const SyncBatchNormScope&) = delete;
  SyncBatchNormScope& operator=(const SyncBatchNormScope&) = delete;

 private:
  std::shared_ptr<const BatchNormRanks> before_;
};

// The arithmetic of one call, differentiable once.
struct BatchNormCall {
  at::Tensor running_mean, running_var;  // undefined = none; updated in place
  double momentum;
  double eps;
  std::shared_ptr<const BatchNormRanks> ranks;
};

// The input is [N, C, ...] of any floating-point type and memory format; weight and bias are optional. Half types are
// computed in float. Throws c10::Error if all ranks together have one value for each channel.
at::Tensor sync_batch_norm(const at::Tensor& input, const c10::optional<at::Tensor>& weight,
                           const c10::optional<at::Tensor>& bias, const BatchNormCall& call);

}  // namespace levin::core
