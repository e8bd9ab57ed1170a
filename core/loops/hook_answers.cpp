#include "core/loops/hook_answers.hpp"

#include <ATen/ops/full.h>

#include <utility>

#include "core/distributed/watch/collective_label.hpp"

namespace levin::core {

int HookAnswers::most(int mine) const {
  const CollectiveLabel purpose("whether to skip the batch");
  const at::Tensor all = at::full({1}, mine, at::kInt);
  group_.all_reduce(all, ReduceOp::max);
  return *all.data_ptr<int>();
}

void HookAnswers::begin_epoch(bool has_hook) { asks_ = group_.size() > 1 && most(has_hook ? 1 : 0) != 0; }

levin_status HookAnswers::of_all(levin_status mine, const RunProgress& progress) {
  if (!asks_) return mine;
  const levin_status all = most(mine);
  if (all != mine && !std::exchange(warned_, true))
    warn_("another process of the run skips " + std::string(all == LEVIN_SKIP_EPOCH ? "the rest of epoch " : "batch ") +
          (all == LEVIN_SKIP_EPOCH
               ? std::to_string(progress.current_epoch())
               : std::to_string(progress.batch_idx()) + " of epoch " + std::to_string(progress.current_epoch())) +
          " in on_train_batch_start, so all of them do (said once)");
  return all;
}

}  // namespace levin::core
