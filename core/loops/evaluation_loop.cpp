#include "core/loops/evaluation_loop.hpp"

#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "core/components/breadcrumb.hpp"
#include "core/data/batch_feed.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

namespace {

BatchGroup* next_of(BatchFeed& feed, uint32_t split) {
  const CallScope action(split == LEVIN_TEST ? "test_next" : "val_next");
  return feed.next();
}

}  // namespace

EvaluationLoop::EvaluationLoop(RunContext& context, uint32_t split) : c_(context), split_(split), batches_(context) {
  h_ = split == LEVIN_TEST ? Hooks{LEVIN_HOOK_TEST_MODEL_EVAL,  LEVIN_HOOK_TEST_MODEL_TRAIN, LEVIN_HOOK_TEST_START,
                                   LEVIN_HOOK_TEST_EPOCH_START, LEVIN_HOOK_TEST_BATCH_START, LEVIN_HOOK_TEST_BATCH_END,
                                   LEVIN_HOOK_TEST_EPOCH_END,   LEVIN_HOOK_TEST_END}
                           : Hooks{LEVIN_HOOK_VALIDATION_MODEL_EVAL,  LEVIN_HOOK_VALIDATION_MODEL_TRAIN,
                                   LEVIN_HOOK_VALIDATION_START,       LEVIN_HOOK_VALIDATION_EPOCH_START,
                                   LEVIN_HOOK_VALIDATION_BATCH_START, LEVIN_HOOK_VALIDATION_BATCH_END,
                                   LEVIN_HOOK_VALIDATION_EPOCH_END,   LEVIN_HOOK_VALIDATION_END};
  origin_ = split == LEVIN_TEST ? test_step : validation_step;
  in_.size = sizeof in_;
  in_.run = context.run;
  in_.optimizer_idx = in_.split_idx = -1;
}

bool EvaluationLoop::enabled() {
  const Limit& limit = split_ == LEVIN_TEST ? c_.plan.limit_test : c_.plan.limit_val;
  return !limit.off() && c_.model.has_step(split_ == LEVIN_TEST ? LEVIN_STAGE_TEST : LEVIN_STAGE_VALIDATE) &&
         c_.loaders.exists(split_);
}

// Lightning's rule: as training's loaders, but only once a validation is due.
void EvaluationLoop::make_loaders_again() {
  const int64_t every = c_.plan.reload_dataloaders_every_n_epochs;
  if (every == 0 || !c_.loaders.is_made(split_)) return;
  if (c_.at().epoch - c_.loaders.made_in_epoch(split_) >= every) c_.loaders.reload(split_);
}

bool EvaluationLoop::one_after_another() const { return c_.loaders.mode(split_) == CombinedMode::sequential; }

void EvaluationLoop::run(uint32_t stage, int64_t most) {
  if (c_.at().stage == LEVIN_STAGE_FIT) make_loaders_again();
  auto& loaders = c_.loaders.get(split_);
  results_.clear();
  const std::vector<int64_t> limits = c_.loaders.limits(split_);
  if (std::all_of(limits.begin(), limits.end(), [](int64_t limit) { return limit == 0; })) return;  // nor any hook
  const Position before = c_.at();
  in_.stage = stage;
  if (stage != LEVIN_STAGE_VALIDATE || before.stage != LEVIN_STAGE_FIT) c_.at().stage = stage;
  c_.log.set_evaluating(true, stage == LEVIN_STAGE_SANITY);
  c_.log.eval().reset();
  c_.progress.val_batch.current = {};
  c_.progress.is_last_val_batch = false;
  c_.at().num_dataloaders = static_cast<int64_t>(loaders.size());
  seen_.resize(loaders.size());
  results_.assign(loaders.size(), {});

  c_.hooks.model_only(h_.eval);
  c_.model.mode(false);
  c_.hooks.fire(h_.start);
  c_.hooks.fire(LEVIN_HOOK_EPOCH_START);
  c_.hooks.fire(h_.epoch_start);
  epoch_outputs_.begin(c_.model, stage);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(c_.plan.inference_mode);
    run_batches(most);
  }
  c_.log.reach_loader_end();
  c_.at().batch_idx = c_.at().dataloader_idx = -1;
  c_.log.eval().set_batch(1, -1);
  c_.log.reach_end();
  {
    const Dispatcher::OriginScope scope(c_.hooks, h_.epoch_end);
    epoch_outputs_.deliver(c_.model, c_.run);
  }
  c_.hooks.fire(h_.epoch_end);
  c_.hooks.fire(LEVIN_HOOK_EPOCH_END);
  c_.log.log_eval_epoch(c_.axis());
  for (size_t i = 0; i < loaders.size(); ++i) {
    const auto keep = [&](const std::string& name, double value) { results_[i].set(name, value); };
    if (loaders.size() > 1 && one_after_another()) c_.log.eval().visit_loader(static_cast<int64_t>(i), keep);
    c_.log.eval().visit_loader(-1, keep);
  }
  if (stage == LEVIN_STAGE_VALIDATE && c_.progress.tail == BatchTail::logging) c_.progress.tail = BatchTail::schedules;
  c_.hooks.fire(h_.end);
  if (c_.model.wants(h_.train))
    c_.hooks.model_only(h_.train);
  else
    c_.model.mode(true);

  c_.log.set_evaluating(false, stage == LEVIN_STAGE_SANITY);
  const Position after = c_.at();
  c_.at() = before;
  c_.at().global_step = after.global_step;
}

void EvaluationLoop::run_batches(int64_t most) {
  auto& loaders = c_.loaders.get(split_);
  std::vector<int64_t> limits = c_.loaders.limits(split_);
  std::vector<std::optional<int64_t>> lengths;
  for (int64_t& limit : limits) {
    if (most != unlimited) limit = sanity_batches(most, limit);
    lengths.push_back(limit == unlimited ? std::nullopt : std::optional<int64_t>(limit));
  }
  const CombinedMode mode = c_.loaders.mode(split_);
  BatchFeed feed(loaders, mode, limits);
  const int64_t total = combined_length(mode, lengths).value_or(unlimited);
  feed.begin_epoch(0, 0, total);
  while (!feed.done()) {
    BatchGroup* group = next_of(feed, split_);
    if (!group) break;
    c_.progress.is_last_val_batch = feed.done();
    const auto index = static_cast<size_t>(group->dataloader_idx);
    if (group->dataloader_idx != c_.at().dataloader_idx) c_.log.reach_loader_end();
    c_.at().dataloader_idx = group->dataloader_idx;
    c_.at().n_batches = one_after_another() ? limits[index] : total;
    c_.at().batch_idx = group->batch_idx;
    batches_.take(*group, loaders);
    run_batch(index);
    if (c_.end_batch) c_.end_batch();
  }
}

void EvaluationLoop::run_batch(size_t loader) {
  Position& at = c_.at();
  Progress& progress = c_.progress.val_batch;
  const bool several = seen_.size() > 1 && one_after_another();
  progress.raise(&Counter::ready);
  c_.log.eval().set_batch(batches_.first().rows(), several ? at.dataloader_idx : -1);
  const auto with_batch = [&](levin_event& e) { batches_.show(e); };
  if (c_.hooks.fire(h_.batch_start, with_batch) == LEVIN_SKIP) return;
  progress.raise(&Counter::started);
  batches_.show(in_);
  in_.epoch = at.epoch;
  in_.global_step = at.global_step;
  in_.batch_idx = at.batch_idx;
  in_.dataloader_idx = at.dataloader_idx;
  in_.seed = at.seed;
  {
    const Dispatcher::OriginScope scope(c_.hooks, origin_);
    c_.precision.forward([&] { c_.model.step(in_, outputs_); });
  }
  progress.raise(&Counter::processed);
  epoch_outputs_.add(outputs_);
  c_.hooks.fire(h_.batch_end, [&](levin_event& e) {
    batches_.show(e);
    const auto& view = outputs_.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
    e.loss = view.empty() ? nullptr : view.front().tensor;
  });
  progress.raise(&Counter::completed);
  if (in_.stage != LEVIN_STAGE_SANITY) c_.log.log_eval_step(seen_[loader]++);
  outputs_.clear();
}

}  // namespace levin::core
