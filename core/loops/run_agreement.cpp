#include "core/loops/run_agreement.hpp"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <utility>

#include "core/distributed/watch/collective_label.hpp"

namespace levin::core {

RunAgreement::RunAgreement(ProcessGroup& group, RunProgress& progress) : group_(group), progress_(progress) {
  progress_.stop.decide_together(group_.size() > 1);
  may_end_anywhere = group_.size() == 1;
}

at::Tensor RunAgreement::proposal(bool skips) const {
  at::Tensor out = at::zeros({flags}, at::kInt);
  int* const values = out.data_ptr<int>();
  values[signal] = interruption;
  values[stop] = progress_.stop.wanted();
  values[skip_epoch] = skips;
  values[validate] = wants_validation_ && group_.rank() == 0;
  return out;
}

void RunAgreement::send(bool skips) {
  const CollectiveLabel purpose("whether to stop");
  progress_.sent_skip_epoch = skips;
  sent_ = proposal(skips);
  pending_ = group_.all_reduce_async(sent_, ReduceOp::max);
}

void RunAgreement::take() {
  if (!pending_) return;
  std::exchange(pending_, nullptr)->wait();
  const int* const values = sent_.data_ptr<int>();
  if (values[validate] != 0) validate_ = true;
  if (values[skip_epoch] != 0) progress_.skip_epoch = true;
  if (values[stop] != 0) progress_.stop.agree("another process of the run asked for it");
  if (values[signal] != 0) throw Interrupt{values[signal]};
}

void RunAgreement::after_batch() {
  if (group_.size() == 1) {
    if (const int number = interruption) throw Interrupt{number};
    return;
  }
  if (evaluated_ && (*evaluated_)-- <= 0) return;
  take();
  send(progress_.wants_skip_epoch);
}

void RunAgreement::now() {
  if (group_.size() == 1) return;
  take();
  send(progress_.wants_skip_epoch);
  take();
}

void RunAgreement::before_batches() {
  if (group_.size() == 1) return;
  take();
  const bool sent = progress_.sent_skip_epoch;
  send(false);
  progress_.sent_skip_epoch = sent;
  take();
}

void RunAgreement::go_on(bool batch_ended) {
  if (group_.size() == 1) return;
  take();
  send(batch_ended ? progress_.wants_skip_epoch : progress_.sent_skip_epoch);
}

void RunAgreement::begin_evaluation(std::optional<int64_t> batches) {
  if (group_.size() == 1) return;
  const CollectiveLabel purpose("the batches of an evaluation");
  const at::Tensor least = at::full({1}, batches.value_or(0), at::TensorOptions(at::kLong));
  group_.all_reduce(least, ReduceOp::min);
  evaluated_ = *least.data_ptr<int64_t>();
}

bool RunAgreement::time_to_validate(bool by_own_clock) {
  if (group_.size() == 1) return by_own_clock;
  wants_validation_ = by_own_clock;
  return std::exchange(validate_, false);
}

// The messages sent during the validation, and the one before it, still contain the request for it.
void RunAgreement::validated() {
  wants_validation_ = false;
  now();
  validate_ = false;
}

}  // namespace levin::core
