#include "core/loops/batch_steps.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/components/failure.hpp"
#include "core/components/tensor_handle.hpp"
#include "core/data/tbptt_split.hpp"
#include "core/optim/gradient_checks.hpp"
#include "core/optim/optimizer_turns.hpp"

namespace levin::core {
namespace {

// While it lives, only the parameters of one of several optimizers require grad.
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

BatchSteps::BatchSteps(RunContext& context) : c_(context) {
  in_.size = sizeof in_;
  in_.stage = LEVIN_STAGE_FIT;
  in_.run = context.run;
  in_.optimizer_idx = in_.split_idx = -1;
}

void BatchSteps::begin_epoch() { epoch_outputs_.begin(c_.model, LEVIN_STAGE_FIT); }

bool BatchSteps::active(uint32_t optimizer) const {
  return std::find(turns_.begin(), turns_.end(), optimizer) != turns_.end();
}

// Without frequencies everybody's turn is always.
void BatchSteps::take_turns(int64_t batch_idx) {
  const std::vector<int64_t>& frequencies = c_.optimizers.frequencies();
  const bool vary = std::any_of(frequencies.begin(), frequencies.end(), [](int64_t f) { return f > 0; });
  if (vary || turns_.size() != frequencies.size()) turns_ = optimizers_of_batch(frequencies, batch_idx);
}

void BatchSteps::run(const StepBatches& batches, const Window& window) {
  const Position& at = c_.at();
  batches.show(in_);
  in_.epoch = at.epoch;
  in_.batch_idx = at.batch_idx;
  in_.dataloader_idx = std::max<int64_t>(at.dataloader_idx, 0);  // -1: all loaders together
  in_.seed = at.seed;
  outputs_.clear();
  take_turns(at.batch_idx);
  if (c_.plan.truncated_bptt_steps == 0) return run_optimizers(window);
  if (batches.size() > 1)
    throw Error(ErrorKind::usage, "trainer.truncated_bptt_steps does not work with several train loaders");
  run_splits(batches.first(), batches.field_names(), window);
}

std::vector<std::vector<at::Tensor>> BatchSteps::split(Batch& batch) const {
  const levin_model* table = &c_.model.table();
  if (!LEVIN_HAS(levin_model, table, tbptt_split_batch))
    return tbptt_split(batch.tensors, c_.plan.truncated_bptt_steps);
  std::vector<std::vector<at::Tensor>> splits;
  levin_split_out out{};
  out.size = sizeof out;
  out.ctx = &splits;
  out.add = [](const levin_split_out* o, levin_tensor* const* tensors, uint32_t n) {
    return serve([&] {
      auto& all = *static_cast<std::vector<std::vector<at::Tensor>>*>(o->ctx);
      all.emplace_back();
      for (uint32_t i = 0; i < n; ++i) all.back().push_back(retain(tensors[i]));
    });
  };
  c_.model.invoke("tbptt_split_batch", [&] {
    return table->tbptt_split_batch(c_.model.self(), batch.raw(), c_.plan.truncated_bptt_steps, &out);
  });
  return splits;
}

// Hidden state goes from split to split of a batch, never from batch to batch.
void BatchSteps::carry_hiddens(const std::vector<at::Tensor>& hiddens) {
  hiddens_ = hiddens;
  hidden_handles_.clear();
  for (const at::Tensor& h : hiddens_) hidden_handles_.push_back(borrow(h));
  in_.hiddens = hiddens_.empty() ? nullptr : hidden_handles_.data();
  in_.n_hiddens = hiddens_.size();
}

void BatchSteps::run_splits(Batch& batch, const std::vector<const char*>& names, const Window& window) {
  carry_hiddens({});
  in_.split_idx = 0;
  for (std::vector<at::Tensor>& tensors : split(batch)) {
    Batch part;
    part.tensors = std::move(tensors);
    part.sample_ids = batch.sample_ids;
    part.publish(names);
    const levin_batch* raw = part.raw();
    in_.batch = raw;
    in_.batches = &raw;
    run_optimizers(window);
    carry_hiddens(step_.hiddens);
    ++in_.split_idx;
  }
  carry_hiddens({});
}

void BatchSteps::run_optimizers(const Window& window) {
  if (c_.model.manual_optimization() || c_.optimizers.optimizers().empty()) return run_one(0, window);
  const bool several = c_.optimizers.optimizers().size() > 1;
  for (const uint32_t k : turns_) {
    const ToggleScope toggled(c_.optimizers, k);
    in_.optimizer_idx = c_.at().optimizer_idx = several ? static_cast<int64_t>(k) : -1;
    run_one(k, window);
  }
  c_.at().optimizer_idx = -1;
}

// Allowed, and seldom meant.
void BatchSteps::warn_of_no_loss() {
  const bool trains = !c_.model.manual_optimization() && !c_.optimizers.optimizers().empty();
  if (!trains || step_.loss.defined() || std::exchange(warned_of_no_loss_, true)) return;
  c_.warn(c_.model.plugin() + ": training_step returned no loss: nothing is learned from such a batch");
}

void BatchSteps::run_one(uint32_t optimizer, const Window& window) {
  in_.global_step = c_.at().global_step;
  if (c_.model.manual_optimization())
    c_.optimization.run_manual(in_, step_);
  else
    c_.optimization.run({&in_, optimizer, window.starts, window.ends, window.size, window.factor}, step_);
  warn_of_no_loss();
  if (c_.plan.terminate_on_nan) {
    const Position& at = c_.at();
    check_finite(step_.loss, c_.model.parameters(),
                 "epoch " + std::to_string(at.epoch) + ", batch " + std::to_string(at.batch_idx) +
                     (at.optimizer_idx < 0 ? "" : ", optimizer " + std::to_string(at.optimizer_idx)));
  }
  epoch_outputs_.add(step_);
  outputs_.append(step_);
}

}  // namespace levin::core
