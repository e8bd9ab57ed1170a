#include "core/strategies/ddp/ddp.hpp"

#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/distributed/watch/collective_label.hpp"
#include "core/strategies/common/same_model.hpp"

namespace levin::core {
namespace {

constexpr int64_t mega = 1 << 20;

BucketOptions bucket_options(const RunPlan& plan) {
  BucketOptions options;
  options.bytes = static_cast<int64_t>(plan.processes.bucket_cap_mb * static_cast<double>(mega));
  options.find_unused = plan.processes.find_unused_parameters;
  options.is_static = plan.processes.static_graph;
  options.gradients_are_views = plan.processes.gradient_as_bucket_view;
  options.compression = plan.processes.gradient_compression;
  return options;
}

// LibTorch's module checks its own process's number of rows before it calls the synchronized batch norm.
std::string advice_on_one_row(const std::string& error) {
  if (error.find("Expected more than 1 value per channel when training") == std::string::npos) return "";
  return " (trainer.sync_batchnorm: LibTorch's modules want two rows in each process all the same: set data.batch_size "
         "to 2 or more, and data.drop_last where the last batch has one row; or call torch::batch_norm, which takes "
         "one)";
}

}  // namespace

DdpStrategy::DdpStrategy(const RunPlan& plan, at::Device device, Processes& processes)
    : device_(device), group_(processes.group()), options_(bucket_options(plan)) {
  if (!plan.processes.sync_batchnorm || group_.size() == 1) return;
  batch_norm_group_ = processes.new_group("batch norm");
  BatchNormRanks ranks;
  ranks.rank = group_.rank();
  ranks.size = group_.size();
  ranks.sum = [&group = *batch_norm_group_](const at::Tensor& t) {
    const CollectiveLabel purpose("batch norm");
    group.all_reduce(t, ReduceOp::sum);
  };
  batch_norm_ = std::make_shared<const BatchNormRanks>(std::move(ranks));
}
DdpStrategy::~DdpStrategy() = default;

void DdpStrategy::begin(const Model& model) {
  check_same_model(model, group_);
  broadcast_tensors(model.parameters(), group_);
  broadcast_tensors(model.buffers(), group_);
}

void DdpStrategy::forward(const std::function<void()>& step) {
  if (!batch_norm_) return step();
  const SyncBatchNormScope scope(batch_norm_);
  try {
    step();
  } catch (const Error& e) {
    const std::string advice = advice_on_one_row(e.what());
    if (advice.empty()) throw;
    throw Error(e.kind(), e.what() + advice);
  }
}

void DdpStrategy::before_forward(const Model& model) {
  const CollectiveLabel purpose("buffers of the model");
  broadcast_tensors(model.buffers(), group_);
}

GradientBuckets& DdpStrategy::buckets_of(const Optimizer& optimizer) {
  auto& buckets = buckets_[&optimizer];
  if (!buckets || !buckets->fit(optimizer)) buckets = std::make_unique<GradientBuckets>(optimizer, group_, options_);
  return *buckets;
}

void DdpStrategy::expect_step(const Optimizer& optimizer, const at::Tensor& bad_loss) {
  expecting_ = &buckets_of(optimizer);
  expecting_->begin(bad_loss);
}

void DdpStrategy::backward(const at::Tensor& loss, bool retain_graph) {
  Strategy::backward(loss, retain_graph);
  if (GradientBuckets* buckets = std::exchange(expecting_, nullptr)) buckets->finish();
}

void DdpStrategy::reduce_gradients(const Optimizer& optimizer, const at::Tensor& bad_loss) {
  expecting_ = nullptr;
  GradientBuckets& buckets = buckets_of(optimizer);
  if (!buckets.reduced()) {
    buckets.begin(bad_loss);
    buckets.finish();
  }
  at::Tensor(bad_loss).copy_(buckets.bad_loss());
}

void DdpStrategy::used_gradients(const Optimizer& optimizer) {
  const auto buckets = buckets_.find(&optimizer);
  if (buckets != buckets_.end() && buckets->second) buckets->second->forget_reduced();
}

}  // namespace levin::core
