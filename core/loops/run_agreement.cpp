#include "core/loops/run_agreement.hpp"

#include <ATen/ops/zeros.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

constexpr const char* skip_purpose = "whether to skip the batch";

}  // namespace

RunAgreement::RunAgreement(ProcessGroup& group, StopRequest& request) : group_(group), stop_(request) {
  stop_.decide_together(group_.size() > 1);
}

at::Tensor RunAgreement::proposal(bool skips) const {
  at::Tensor out = at::zeros({flags}, at::kInt);
  int* const values = out.data_ptr<int>();
  values[signal] = interruption;
  values[stop] = stop_.wanted();
  values[skip_epoch] = skips;
  values[validate] = wants_validation_ && group_.rank() == 0;
  return out;
}

void RunAgreement::send(bool skips) {
  const CollectiveLabel label("whether to stop");
  if (skip_ == Skip::wanted && skips) skip_ = Skip::sent;
  sent_ = proposal(skips);
  pending_ = group_.all_reduce_async(sent_, ReduceOp::max);
}

void RunAgreement::take() {
  if (!pending_) return;
  std::exchange(pending_, nullptr)->wait();
  const int* const values = sent_.data_ptr<int>();
  if (values[validate] != 0) validate_ = true;
  if (values[skip_epoch] != 0) skip_ = Skip::agreed;
  if (values[stop] != 0) stop_.agree("requested by another rank");
  if (values[signal] != 0) throw Interrupt{values[signal]};
}

void RunAgreement::after_batch() {
  if (group_.size() == 1) {
    if (const int number = interruption) throw Interrupt{number};
    return;
  }
  if (evaluated_ && (*evaluated_)-- <= 0) return;
  take();
  send(wants_skip());
}

void RunAgreement::now() {
  if (group_.size() == 1) return;
  take();
  send(wants_skip());
  take();
}

void RunAgreement::before_batches() {
  if (group_.size() == 1) return;
  take();
  send(/*skips=*/false);
  take();
}

void RunAgreement::go_on(bool batch_ended) {
  if (group_.size() == 1) return;
  take();
  send(batch_ended ? wants_skip() : skip_ >= Skip::sent);
}

void RunAgreement::begin_evaluation(std::optional<int64_t> batches) {
  if (group_.size() == 1) return;
  evaluated_ = -group_.largest(-batches.value_or(0), "the batches of an evaluation");  // the fewest of all
}

nlohmann::json RunAgreement::state_dict() const {
  return {{"skip_epoch", skip_ == Skip::agreed},
          {"wants_skip_epoch", skip_ == Skip::wanted || skip_ == Skip::sent},
          {"sent_skip_epoch", skip_ == Skip::sent}};
}

void RunAgreement::load_state_dict(const nlohmann::json& state) {
  const auto is = [&](const char* key) { return state.value(key, false); };
  skip_ = is("skip_epoch")         ? Skip::agreed
          : is("sent_skip_epoch")  ? Skip::sent
          : is("wants_skip_epoch") ? Skip::wanted
                                   : Skip::no;
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

void HookAnswers::begin_epoch(bool has_hook) { asks_ = group_.size() > 1 && group_.any(has_hook, skip_purpose); }

levin_status HookAnswers::of_all(levin_status mine, const RunProgress& progress) {
  if (!asks_) return mine;
  const auto all = static_cast<levin_status>(group_.largest(mine, skip_purpose));
  if (all != mine && !std::exchange(warned_, true))
    warn_("another process of the run skips " + std::string(all == LEVIN_SKIP_EPOCH ? "the rest of epoch " : "batch ") +
          (all == LEVIN_SKIP_EPOCH
               ? std::to_string(progress.current_epoch())
               : std::to_string(progress.batch_idx()) + " of epoch " + std::to_string(progress.current_epoch())) +
          " in on_train_batch_start, so all of them do (said once)");
  return all;
}

}  // namespace levin::core
