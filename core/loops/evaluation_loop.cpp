#include "core/loops/evaluation_loop.hpp"

#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "core/data/fetcher.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

EvaluationLoop::EvaluationLoop(RunContext& context, uint32_t split)
    : c_(context), split_(split), transfer_(context.model, context.precision, context.strategy) {
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

void EvaluationLoop::run(uint32_t stage, int64_t most) {
  auto& loaders = c_.loaders.get(split_);
  const Position before = c_.at();
  in_.stage = stage;
  if (stage != LEVIN_STAGE_VALIDATE || before.stage != LEVIN_STAGE_FIT) c_.at().stage = stage;
  c_.log.set_evaluating(true, stage == LEVIN_STAGE_SANITY);
  c_.log.eval().reset();
  c_.at().num_dataloaders = static_cast<int64_t>(loaders.size());
  seen_.resize(loaders.size());
  results_.assign(loaders.size(), {});

  c_.hooks.model_only(h_.eval);
  c_.model.mode(false);
  c_.hooks.fire(h_.start);
  c_.hooks.fire(h_.epoch_start);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(c_.plan.inference_mode);
    for (size_t i = 0; i < loaders.size(); ++i) run_loader(i, most);
  }
  c_.at().batch_idx = c_.at().dataloader_idx = -1;
  c_.log.eval().set_batch(1, -1);
  c_.log.reach_end();
  c_.hooks.fire(h_.epoch_end);
  c_.log.log_eval_epoch(c_.axis());
  for (size_t i = 0; i < loaders.size(); ++i) {
    const auto keep = [&](const std::string& name, double value) { results_[i].set(name, value); };
    if (loaders.size() > 1) c_.log.eval().visit_loader(static_cast<int64_t>(i), keep);
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

void EvaluationLoop::run_loader(size_t index, int64_t most) {
  Loader& loader = *c_.loaders.get(split_)[index];
  int64_t limit = c_.loaders.batches(split_, index);
  if (most != unlimited) limit = sanity_batches(most, limit);
  c_.at().dataloader_idx = static_cast<int64_t>(index);
  c_.at().n_batches = limit;
  Fetcher fetcher(loader);
  fetcher.begin_epoch(0, 0, limit);
  for (int64_t i = 0; Batch* batch = fetcher.next(); ++i) {
    c_.at().batch_idx = i;
    run_batch(transfer_(*batch, loader.field_names()), index);
    if (c_.check_signals) c_.check_signals();
  }
}

void EvaluationLoop::run_batch(Batch& batch, size_t loader) {
  Position& at = c_.at();
  const bool several = seen_.size() > 1;
  c_.log.eval().set_batch(batch.rows(), several ? at.dataloader_idx : -1);
  const auto with_batch = [&](levin_event& e) { e.batch = batch.raw(); };
  if (c_.hooks.fire(h_.batch_start, with_batch) == LEVIN_SKIP) return;
  const levin_batch* raw = batch.raw();
  in_.batch = raw;
  in_.batches = &raw;
  in_.n_batches = 1;
  in_.epoch = at.epoch;
  in_.global_step = at.global_step;
  in_.batch_idx = at.batch_idx;
  in_.dataloader_idx = at.dataloader_idx;
  in_.seed = at.seed;
  {
    const Dispatcher::OriginScope scope(c_.hooks, origin_);
    c_.precision.forward([&] { c_.model.step(in_, outputs_); });
  }
  c_.hooks.fire(h_.batch_end, [&](levin_event& e) {
    e.batch = batch.raw();
    const auto& view = outputs_.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
    e.loss = view.empty() ? nullptr : view.front().tensor;
  });
  if (in_.stage != LEVIN_STAGE_SANITY) c_.log.log_eval_step(seen_[loader]++);
  outputs_.clear();
}

}  // namespace levin::core
