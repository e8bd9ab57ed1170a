#include "core/loops/training_batch_loop.hpp"

#include <algorithm>
#include <utility>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/data/tbptt_split.hpp"
#include "core/optim/finite.hpp"
#include "core/optim/optimizer_turns.hpp"

namespace levin::core {
namespace {

// While it exists, only the parameters of the given optimizer require grad, if there are several optimizers.
class ToggleScope {
 public:
  ToggleScope(OptimizerSet& optimizers, uint32_t index) : optimizers_(optimizers), index_(index) {
    if (several()) optimizers_.toggle(index_, true);
  }
  ~ToggleScope() {
    if (several()) optimizers_.toggle(index_, false);
  }
  ToggleScope(const ToggleScope&) = delete;
  ToggleScope& operator=(const ToggleScope&) = delete;

 private:
  bool several() const { return optimizers_.optimizers().size() > 1; }
  OptimizerSet& optimizers_;
  uint32_t index_;
};

}  // namespace

TrainingBatchLoop::TrainingBatchLoop(TrainingBatchParts parts)
    : parts_(std::move(parts)), in_(make_step_in(LEVIN_STAGE_FIT, parts_.run)) {}

// Without frequencies every optimizer takes every batch.
void TrainingBatchLoop::choose_optimizers(int64_t batch_idx) {
  const std::vector<int64_t>& frequencies = parts_.optimizers.frequencies();
  const bool vary = std::any_of(frequencies.begin(), frequencies.end(), [](int64_t f) { return f > 0; });
  if (vary || optimizers_of_batch_.size() != frequencies.size())
    optimizers_of_batch_ = core::optimizers_of_batch(frequencies, batch_idx);
}

void TrainingBatchLoop::run(const DeviceBatches& batches, const AccumulationWindow& window) {
  const RunProgress& progress = parts_.progress;
  batches.show(in_);
  in_.step_1x = &in_1x_;
  in_.epoch = progress.current_epoch();
  in_.batch_idx = progress.batch_idx();
  in_.dataloader_idx = std::max<int64_t>(progress.place.dataloader_idx, 0);  // -1 = all loaders together
  in_.seed = progress.seed;
  outputs_.clear();
  choose_optimizers(in_.batch_idx);
  if (parts_.plan.optimization.truncated_bptt_steps == 0) return run_optimizers(window);
  if (batches.size() > 1)
    throw Error(ErrorCode::option_unsupported, "trainer.truncated_bptt_steps works with one training loader only");
  run_splits(batches.first(), batches.field_names(), window);
}

std::vector<std::vector<at::Tensor>> TrainingBatchLoop::split(Batch& batch) const {
  std::vector<std::vector<at::Tensor>> splits;
  const int64_t size = parts_.plan.optimization.truncated_bptt_steps;
  if (parts_.model.overrides().tbptt_split_batch(*batch.raw(), size, splits)) return splits;
  return tbptt_split(batch.tensors, size);
}

// Hidden state is passed from split to split of a batch, never from batch to batch.
void TrainingBatchLoop::carry_hiddens(const std::vector<at::Tensor>& hiddens) {
  hiddens_ = hiddens;
  hidden_handles_.clear();
  for (const at::Tensor& h : hiddens_) hidden_handles_.push_back(borrow(h));
  in_1x_.hiddens = hiddens_.empty() ? nullptr : hidden_handles_.data();
  in_1x_.n_hiddens = hiddens_.size();
}

void TrainingBatchLoop::run_splits(Batch& batch, const std::vector<const char*>& names,
                                   const AccumulationWindow& window) {
  carry_hiddens({});
  std::vector<std::vector<at::Tensor>> splits = split(batch);
  int64_t& split_idx = in_1x_.split_idx = 0;
  parts_.progress.place.num_splits = static_cast<int64_t>(splits.size());
  for (std::vector<at::Tensor>& tensors : splits) {
    if (split_idx > 0 && parts_.end_split) parts_.end_split();
    parts_.progress.place.split_idx = split_idx;
    Batch part;
    part.tensors = std::move(tensors);
    part.sample_ids = batch.sample_ids;
    part.publish(names);
    const levin_batch* raw = part.raw();
    in_.batch = raw;
    in_.batches = &raw;
    run_optimizers(window);
    carry_hiddens(step_.hiddens);
    ++split_idx;
  }
  carry_hiddens({});
  parts_.progress.place.split_idx = parts_.progress.place.num_splits = -1;
}

bool TrainingBatchLoop::is_optimized() const {
  return !parts_.model.manual_optimization() && !parts_.optimizers.optimizers().empty();
}

void TrainingBatchLoop::run_optimizers(const AccumulationWindow& window) {
  if (!is_optimized()) return run_one(0, window);
  const bool several = parts_.optimizers.optimizers().size() > 1;
  for (const uint32_t k : optimizers_of_batch_) {
    const ToggleScope toggled(parts_.optimizers, k);
    in_1x_.optimizer_idx = parts_.progress.optimizer_idx = several ? static_cast<int64_t>(k) : -1;
    run_one(k, window);
  }
  parts_.progress.optimizer_idx = -1;
}

void TrainingBatchLoop::run_one(uint32_t optimizer, const AccumulationWindow& window) {
  in_.global_step = parts_.progress.global_step();
  parts_.optimization.run({in_, optimizer, window}, step_);
  warn_of_no_loss();
  if (parts_.plan.numerics.terminate_on_nan) check_finite_step();
  if (parts_.plan.optimization.truncated_bptt_steps > 0)
    step_.detach();  // otherwise each split of the batch would keep its graph
  epoch_outputs_.add(step_);
  outputs_.append(step_);
}

// A training_step may return no loss, but that is rarely intended.
void TrainingBatchLoop::warn_of_no_loss() {
  if (!is_optimized() || step_.loss.defined() || std::exchange(warned_of_no_loss_, true)) return;
  parts_.warn(parts_.model.plugin() + ": training_step returned no loss: nothing is learned from such a batch");
}

void TrainingBatchLoop::check_finite_step() const {
  const RunProgress& progress = parts_.progress;
  const int64_t optimizer = progress.optimizer_idx;
  check_finite(step_.loss, parts_.model.parameters(),
               "epoch " + std::to_string(progress.current_epoch()) + ", batch_idx " +
                   std::to_string(progress.batch_idx()) + ", global_step " + std::to_string(in_.global_step) +
                   (optimizer < 0 ? "" : ", optimizer_idx " + std::to_string(optimizer)));
}

}  // namespace levin::core
