// Data parallel over processes: each process computes the gradients of its own rows, and gradients are averaged before
// the optimizer step. Like PyTorch's DistributedDataParallel (Li et al. 2020, arXiv 2006.15704), with its own buckets.
#pragma once
#include <map>

#include "core/config/trainer/run_plan.hpp"
#include "core/distributed/batch_norm/sync_batch_norm.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/gradient_buckets.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

class DdpStrategy : public Strategy {
 public:
  DdpStrategy(const RunPlan& plan, at::Device device, Processes& processes);
  ~DdpStrategy() override;
  const char* name() const override { return "ddp"; }
  at::Device device() const override { return device_; }
  ProcessGroup& processes() const override { return group_; }

  void begin(const Model& model) override;
  void before_forward(const Model& model) override;
  void forward(const std::function<void()>& step) override;
  void backward(const at::Tensor& loss, bool retain_graph) override;
  void expect_step(const Optimizer& optimizer, const at::Tensor& bad_loss) override;
  void reduce_gradients(const Optimizer& optimizer, const at::Tensor& bad_loss) override;
  void used_gradients(const Optimizer& optimizer) override;
  void reduce_loss(const at::Tensor& loss) override { group_.all_reduce(loss, ReduceOp::mean); }

 private:
  GradientBuckets& buckets_of(const Optimizer& optimizer);

  at::Device device_;
  ProcessGroup& group_;
  BucketOptions options_;
  std::unique_ptr<ProcessGroup> batch_norm_group_;  // nullptr = batch norm is not synchronized
  std::shared_ptr<const BatchNormRanks> batch_norm_;
  std::map<const Optimizer*, std::unique_ptr<GradientBuckets>> buckets_;
  GradientBuckets* expecting_ = nullptr;  // the buckets that the next backward fills
};

// Broadcasts tensors from the root to all processes. Collective; one broadcast for all tensors of a type and device.
void broadcast_tensors(const std::vector<NamedTensor>& tensors, ProcessGroup& group, int root = 0);

}  // namespace levin::core
