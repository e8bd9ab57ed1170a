#include "core/strategies/ddp/ddp.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <sstream>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/distributed/watch/collective_log.hpp"

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
  return " (with trainer.sync_batchnorm too, LibTorch's modules need two rows in each process; torch::batch_norm "
         "accepts "
         "one row)";
}

std::vector<std::string> lines_of(const Model& model) {
  std::vector<std::string> lines;
  const auto add = [&](const char* kind, const NamedTensor& t) {
    std::ostringstream line;
    line << kind << " '" << t.name << "' " << t.tensor.sizes() << " " << t.tensor.scalar_type()
         << (t.tensor.requires_grad() ? "" : ", frozen");
    lines.push_back(line.str());
  };
  for (const NamedTensor& t : model.parameters()) add("the parameter", t);
  for (const NamedTensor& t : model.buffers()) add("the buffer", t);
  return lines;
}

std::string first_difference(const std::vector<std::string>& first, const std::vector<std::string>& other) {
  for (size_t i = 0; i < first.size() || i < other.size(); ++i) {
    const std::string a = i < first.size() ? first[i] : "nothing", b = i < other.size() ? other[i] : "nothing";
    if (a != b) return b + ", where rank 0 has " + a;
  }
  return "";
}

// Throws Error{usage} that names the rank and the first parameter or buffer that differs from rank 0's in name, shape,
// type or number. Collective.
void check_same_model(const Model& model, ProcessGroup& group) {
  const std::vector<std::string> all = group.all_gather_bytes(join(lines_of(model), "\n"));
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorCode::ranks_differ,
                  "the processes do not have the same model: rank " + std::to_string(rank) + " has " +
                      first_difference(split(all[0], '\n'), split(all[rank], '\n')) +
                      ". The same plugin has to make the same model from the same options and data "
                      "in every process");
}

}  // namespace

void broadcast_tensors(const std::vector<NamedTensor>& tensors, ProcessGroup& group, int root) {
  if (group.size() == 1) return;
  const at::NoGradGuard no_grad;
  std::map<std::pair<at::ScalarType, std::string>, std::vector<at::Tensor>> kinds;
  for (const NamedTensor& t : tensors)
    if (t.tensor.numel() > 0) kinds[{t.tensor.scalar_type(), t.tensor.device().str()}].push_back(t.tensor.detach());
  for (auto& [kind, parts] : kinds) {
    std::vector<at::Tensor> flat;
    for (const at::Tensor& part : parts) flat.push_back(part.reshape({-1}));
    const at::Tensor all = at::cat(flat);
    group.broadcast(all, root);
    int64_t at = 0;
    for (at::Tensor& part : parts) {
      part.copy_(all.narrow(0, at, part.numel()).view(part.sizes()));
      at += part.numel();
    }
  }
}

DdpStrategy::DdpStrategy(const RunPlan& plan, at::Device device, Processes& processes)
    : device_(device), group_(processes.group()), options_(bucket_options(plan)) {
  if (!plan.processes.sync_batchnorm || group_.size() == 1) return;
  batch_norm_group_ = processes.new_group("batch norm");
  BatchNormRanks ranks;
  ranks.rank = group_.rank();
  ranks.size = group_.size();
  ranks.sum = [&group = *batch_norm_group_](const at::Tensor& t) {
    const CollectiveLabel label("batch norm");
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
    throw Error(e.code(), e.what() + advice);
  }
}

void DdpStrategy::before_forward(const Model& model) {
  const CollectiveLabel label("buffers of the model");
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
