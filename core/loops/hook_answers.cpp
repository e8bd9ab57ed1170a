#include "core/loops/hook_answers.hpp"

#include <utility>

namespace levin::core {
namespace {

constexpr const char* skip_purpose = "whether to skip the batch";

}  // namespace

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
