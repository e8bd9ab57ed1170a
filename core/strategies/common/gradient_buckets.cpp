#include "core/strategies/common/gradient_buckets.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/distributed/transports/wire.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

// Returns the type in which a gradient is sent. Complex gradients are sent as real ones.
at::ScalarType type_of(const at::Tensor& param, GradientCompression compression) {
  if (param.scalar_type() != at::kFloat) return c10::toRealValueType(param.scalar_type());
  if (compression == GradientCompression::fp16) return at::kHalf;
  if (compression == GradientCompression::bf16) return at::kBFloat16;
  return at::kFloat;
}

int64_t elements_of(const at::Tensor& param) { return param.numel() * (param.is_complex() ? 2 : 1); }

// Returns true for types of low precision: 1 / 3 in bfloat16 is 0.2 % too large.
bool is_coarse(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kBFloat16 || tensor.scalar_type() == at::kHalf;
}

}  // namespace

// Runs after a parameter's gradient was accumulated.
class GradientBuckets::Hook : public torch::autograd::FunctionPostHook {
 public:
  Hook(GradientBuckets& buckets, size_t slot) : buckets_(buckets), slot_(slot) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    buckets_.on_gradient(slot_);
    return outputs;
  }

 private:
  GradientBuckets& buckets_;
  const size_t slot_;
};

GradientBuckets::GradientBuckets(const Optimizer& optimizer, ProcessGroup& group, BucketOptions options)
    : group_(group), options_(options), params_(params_of(optimizer)) {
  assign(optimizer);
  watch_gradients();
}

GradientBuckets::~GradientBuckets() {
  for (const auto& release : release_) release();
}

GradientBuckets::Params GradientBuckets::params_of(const Optimizer& optimizer) {
  Params out;
  for (const ParamGroup& group : optimizer.groups())
    for (const at::Tensor& p : group.params) out.emplace_back(p, p.requires_grad());
  return out;
}

// Called in every step, so it copies nothing.
bool GradientBuckets::fit(const Optimizer& optimizer) const {
  size_t at = 0;
  for (const ParamGroup& group : optimizer.groups())
    for (const at::Tensor& p : group.params) {
      if (at == params_.size() || !p.is_same(params_[at].first) || p.requires_grad() != params_[at].second)
        return false;
      ++at;
    }
  return at == params_.size();
}

// Returns for each parameter whether it is frozen and some process still has a gradient of it: optimizers also step
// such parameters. Collective if any parameter is frozen.
std::vector<bool> GradientBuckets::frozen_with_gradients() const {
  std::vector<bool> here;
  bool any_frozen = false;
  for (const auto& [param, trained] : params_) {
    here.push_back(!trained && param.grad().defined());
    any_frozen = any_frozen || !trained;
  }
  return any_frozen ? anywhere(here) : here;
}

// Assigns parameters to buckets in reverse order, because gradients are computed from the model's end to its beginning.
void GradientBuckets::assign(const Optimizer& optimizer) {
  const std::vector<bool> frozen = frozen_with_gradients();
  size_t at = 0;
  for (const ParamGroup& group : optimizer.groups())
    for (size_t i = 0; i < group.params.size(); ++i, ++at)
      if (params_[at].second || frozen[at])
        slots_.push_back({group.params[i], group.names[i], 0, 0, frozen[at], frozen[at]});
  std::vector<size_t> slots;
  int64_t elements = 0;
  for (size_t i = slots_.size(); i-- > 0;) {
    const at::Tensor& param = slots_[i].param;
    const bool other_kind = !slots.empty() && (slots_[slots.front()].param.scalar_type() != param.scalar_type() ||
                                               slots_[slots.front()].param.device() != param.device());
    const int64_t limit = buckets_.empty() ? std::min(options_.first_bytes, options_.bytes) : options_.bytes;
    const auto bytes = static_cast<int64_t>(c10::elementSize(type_of(param, GradientCompression::none)));
    if (other_kind || (!slots.empty() && elements * bytes >= limit))
      add_bucket(std::exchange(slots, {}), std::exchange(elements, 0));
    slots_[i].bucket = buckets_.size();
    slots_[i].offset = elements;
    elements += elements_of(param);
    slots.push_back(i);
  }
  if (!slots.empty()) add_bucket(std::move(slots), elements);
}

// Each bucket has two additional elements. Those of the last bucket are the number of processes that have gradients,
// and bad_loss.
void GradientBuckets::add_bucket(std::vector<size_t> slots, int64_t elements) {
  const at::Tensor& param = slots_[slots.front()].param;
  Bucket bucket;
  bucket.flat =
      at::zeros({elements + 2}, param.options().dtype(type_of(param, options_.compression)).requires_grad(false));
  bucket.slots = std::move(slots);
  buckets_.push_back(std::move(bucket));
}

void GradientBuckets::watch_gradients() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].frozen) continue;
    const auto accumulator = torch::autograd::impl::grad_accumulator(slots_[i].param);
    const uintptr_t hook = accumulator->add_post_hook(std::make_unique<Hook>(*this, i));
    release_.push_back([accumulator, hook] { accumulator->del_post_hook(hook); });
  }
}

void GradientBuckets::begin(const at::Tensor& bad_loss) {
  bad_loss_ = bad_loss.clone();
  next_ = 0;
  reduced_ = false;
  for (Bucket& bucket : buckets_) {
    bucket.missing = bucket.slots.size();
    bucket.work.reset();
  }
  for (Slot& slot : slots_) slot.ready = slot.used = false;
  runs_ = true;
}

void GradientBuckets::on_gradient(size_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  reduced_ = false;
  if (!runs_) return;
  const at::NoGradGuard no_grad;
  Slot& slot = slots_[index];
  if (slot.ready)
    throw Error(ErrorCode::backward_failed,
                "the gradient of '" + slot.name +
                    "' was computed twice in one backward pass, after it was sent to the other processes; "
                    "use manual optimization, in which the model calls backward itself");
  fill(slot);
  send_full_buckets(Waiting::must_not_wait);
}

// Returns the gradient's view of the bucket, as real numbers.
at::Tensor GradientBuckets::part_of(const Slot& slot) const {
  return buckets_[slot.bucket].flat.narrow(0, slot.offset, elements_of(slot.param)).view(as_real(slot.param).sizes());
}

// Copies a gradient into its bucket, divided by the number of processes: a sum of half-precision gradients could
// overflow. Sparse gradients are sent as dense ones.
void GradientBuckets::fill(Slot& slot) {
  at::Tensor part = part_of(slot);
  at::Tensor grad = slot.param.grad();
  slot.used = grad.defined();
  if (!slot.used) {
    part.zero_();
  } else {
    grad = as_real(grad.is_sparse() ? grad.to_dense() : grad);
    if (is_coarse(grad))
      part.copy_(grad.to(at::kFloat).div_(group_.size()));
    else
      at::mul_out(part, grad, at::scalar_tensor(1.0 / group_.size(), grad.options()));
  }
  slot.ready = true;
  --buckets_[slot.bucket].missing;
}

void GradientBuckets::send_full_buckets(Waiting waiting) {
  while (next_ < buckets_.size() && buckets_[next_].missing == 0 &&
         (waiting == Waiting::may_wait || !group_.waits_at_once(buckets_[next_].flat)))
    send(buckets_[next_++]);
}

void GradientBuckets::send(Bucket& bucket) {
  const CollectiveLabel label("gradients");
  if (&bucket == &buckets_.back()) {  // it is sent last, when bad_loss and has_gradients() are final
    bucket.flat.narrow(0, bucket.flat.numel() - 1, 1).copy_(bad_loss_.reshape({1}));
    bucket.flat.narrow(0, bucket.flat.numel() - 2, 1).fill_(has_gradients() ? 1 : 0);
  }
  bucket.work = group_.all_reduce_async(bucket.flat, ReduceOp::sum);
}

void GradientBuckets::finish() {
  const at::NoGradGuard no_grad;
  runs_ = false;
  for (Slot& slot : slots_)
    if (!slot.ready) fill(slot);
  if (!options_.find_unused && !(options_.is_static && checked_) && has_gradients()) check_all_used();
  checked_ = checked_ || has_gradients();
  send_full_buckets(Waiting::may_wait);
  std::vector<bool> used = options_.find_unused ? used_anywhere() : std::vector<bool>(slots_.size(), true);
  for (Bucket& bucket : buckets_) bucket.work->wait();
  if (!buckets_.empty()) {
    const at::Tensor& flat = buckets_.back().flat;
    bad_loss_.copy_(flat.narrow(0, flat.numel() - 1, 1).reshape(bad_loss_.sizes()));
    if (!has_gradients() && flat.narrow(0, flat.numel() - 2, 1).item().toDouble() == 0) used.assign(used.size(), false);
  }
  for (size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].frozen) used[i] = std::exchange(slots_[i].given, false) || slots_[i].used;
  take_back(used);
  reduced_ = true;
}

bool GradientBuckets::has_gradients() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.used && !slot.frozen; });
}

void GradientBuckets::check_all_used() const {
  size_t missing = 0;
  const Slot* first = nullptr;
  for (const Slot& slot : slots_) {
    if (slot.used || slot.frozen) continue;
    if (missing++ == 0) first = &slot;
  }
  if (!first) return;
  const std::string more = missing > 1 ? " (and " + std::to_string(missing - 1) + " more)" : "";
  throw Error(ErrorCode::gradient_missing,
              "the parameter '" + first->name + "'" + more +
                  " got no gradient, and with several processes each needs one: freeze it, or set "
                  "--trainer.find_unused_parameters true, which costs one more all-reduce per step");
}

// Returns for each entry whether it is true in any process.
std::vector<bool> GradientBuckets::anywhere(const std::vector<bool>& here) const {
  const CollectiveLabel label("which parameters have gradients");
  const at::Tensor all = at::zeros({static_cast<int64_t>(here.size())}, at::kByte);
  auto* bytes = all.data_ptr<uint8_t>();
  std::copy(here.begin(), here.end(), bytes);
  group_.all_reduce(all, ReduceOp::max);
  return std::vector<bool>(bytes, bytes + here.size());
}

std::vector<bool> GradientBuckets::used_anywhere() const {
  std::vector<bool> here;
  for (const Slot& slot : slots_) here.push_back(slot.used);
  return anywhere(here);
}

void GradientBuckets::take_back(const std::vector<bool>& used) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (!used[i]) continue;
    Slot& slot = slots_[i];
    const at::Tensor part = part_of(slot);
    at::Tensor& grad = slot.param.mutable_grad();
    if (options_.gradients_are_views && part.scalar_type() == slot.param.scalar_type()) {
      grad = part;
      continue;
    }
    if (!grad.defined() || grad.is_sparse() || grad.is_conj()) grad = at::empty_like(slot.param.detach());
    as_real(grad).copy_(part);
  }
}

}  // namespace levin::core
