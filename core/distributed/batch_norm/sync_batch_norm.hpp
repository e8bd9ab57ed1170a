// Batch norm over the batches of all ranks, for modules that know nothing of it.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace levin::core {

struct BatchNormRanks {
  int rank = 0;
  int size = 1;
  // Adds a tensor of doubles over all ranks, in place; the same bits on all of them. Called from the thread that
  // computes, forward and backward, as often on each rank. It is on the device of the batch.
  std::function<void(const at::Tensor&)> sum;
};

// As long as it lives, every batch norm that this thread computes with the statistics of its batch takes those of the
// batches of all ranks, and so does its backward pass, whenever and on whatever thread it comes. Running statistics
// become what one process with the whole batch would have. Batches may differ in size; a rank may have one row, or
// none. Gradients of weight and bias are sums over the rank's own rows, and the gradient of the input is that of the
// sum of all ranks' losses. So the mean over ranks of a parameter's gradients is that of the mean of their losses: what
// data parallel does to gradients anyway is right, without a factor. nullptr: batch norm is LibTorch's own, as it is
// without any scope. Instance norm is never synchronized.
class SyncBatchNormScope {
 public:
  explicit SyncBatchNormScope(std::shared_ptr<const BatchNormRanks> ranks);
  ~SyncBatchNormScope();
  SyncBatchNormScope(const SyncBatchNormScope&) = delete;
  SyncBatchNormScope& operator=(const SyncBatchNormScope&) = delete;

 private:
  std::shared_ptr<const BatchNormRanks> before_;
};

}  // namespace levin::core
