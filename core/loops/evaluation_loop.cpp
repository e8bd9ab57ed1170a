#include "core/loops/evaluation_loop.hpp"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/data/batch_feed.hpp"
#include "core/data/limits.hpp"

namespace levin::core {
namespace {

BatchGroup* next_of(BatchFeed& feed, uint32_t split) {
  const CallScope action(split == LEVIN_TEST ? "test_next" : "val_next");
  return feed.next();
}

}  // namespace

EvaluationLoop::Hooks EvaluationLoop::hooks_of(uint32_t split) {
  if (split == LEVIN_TEST)
    return {LEVIN_HOOK_TEST_MODEL_EVAL,  LEVIN_HOOK_TEST_MODEL_TRAIN, LEVIN_HOOK_TEST_START,
            LEVIN_HOOK_TEST_EPOCH_START, LEVIN_HOOK_TEST_BATCH_START, LEVIN_HOOK_TEST_BATCH_END,
            LEVIN_HOOK_TEST_EPOCH_END,   LEVIN_HOOK_TEST_END};
  return {LEVIN_HOOK_VALIDATION_MODEL_EVAL,  LEVIN_HOOK_VALIDATION_MODEL_TRAIN, LEVIN_HOOK_VALIDATION_START,
          LEVIN_HOOK_VALIDATION_EPOCH_START, LEVIN_HOOK_VALIDATION_BATCH_START, LEVIN_HOOK_VALIDATION_BATCH_END,
          LEVIN_HOOK_VALIDATION_EPOCH_END,   LEVIN_HOOK_VALIDATION_END};
}

EvaluationLoop::EvaluationLoop(const LoopContext& context, uint32_t split)
    : context_(context),
      progress_(context.progress),
      split_(split),
      hooks_(hooks_of(split)),
      batches_(context.model, context.precision, context.strategy, context.progress),
      in_(make_step_in(LEVIN_STAGE_VALIDATE, context.hooks.run())) {}

bool EvaluationLoop::enabled() const {
  const bool test = split_ == LEVIN_TEST;
  const Limit& limit = test ? context_.plan.limits.test : context_.plan.limits.val;
  return !limit.off() && context_.model.has_step(test ? LEVIN_STAGE_TEST : LEVIN_STAGE_VALIDATE) &&
         context_.loaders.exists(split_);
}

// As in Lightning, validation loaders are reloaded when the next validation begins, not at the start of an epoch.
void EvaluationLoop::reload_if_due() {
  LoaderSet& loaders = context_.loaders;
  const int64_t every = context_.plan.data.reload_dataloaders_every_n_epochs;
  if (every == 0 || !loaders.is_made(split_)) return;
  if (progress_.current_epoch() - loaders.made_in_epoch(split_) >= every) loaders.reload(split_);
}

bool EvaluationLoop::one_after_another() const { return context_.loaders.mode(split_) == CombinedMode::sequential; }

void EvaluationLoop::run(uint32_t stage, int64_t most) {
  if (progress_.place.stage == LEVIN_STAGE_FIT) reload_if_due();
  results_.clear();
  const std::vector<int64_t> limits = context_.loaders.limits(split_);
  // Without batches no hook is called. A process without batches takes part if another process has some.
  const bool has_batches = std::any_of(limits.begin(), limits.end(), [](int64_t limit) { return limit != 0; });
  if (!context_.strategy.processes().any(has_batches, "the start of an evaluation")) return warn_if_empty();
  const LoopPlace before = progress_.place;
  begin(stage);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(context_.plan.numerics.inference_mode);
    run_batches(most);
  }
  if (progress_.of(Counted::val_batch).current.ready == 0 && context_.speaks_for_all()) warn_if_empty();
  end_epoch();
  end(stage);
  progress_.place = before;
}

// Warns once that there was no batch, unless the limit is 0.
void EvaluationLoop::warn_if_empty() {
  const Limit& limit = split_ == LEVIN_TEST ? context_.plan.limits.test : context_.plan.limits.val;
  if (limit.off() || std::exchange(warned_empty_, true)) return;
  context_.warn(std::string(split_ == LEVIN_TEST ? "nothing is tested: " : "nothing is validated: ") +
                context_.loaders.why_empty(split_));
}

// A validation within a fit keeps the fit's stage.
void EvaluationLoop::begin(uint32_t stage) {
  const size_t loaders = context_.loaders.get(split_).size();
  in_.stage = stage;
  if (is_within_fit())
    begin_within_fit();
  else
    progress_.place.stage = stage;
  context_.log.set_evaluating(true, stage == LEVIN_STAGE_SANITY);
  context_.log.eval().reset();
  share_buffers();
  progress_.begin_evaluation();
  progress_.place.num_dataloaders = static_cast<int64_t>(loaders);
  seen_.resize(loaders);
  results_.assign(loaders, {});

  context_.hooks.model_only(hooks_.eval, progress_);
  context_.model.mode(false);
  context_.fire(hooks_.start);
  context_.fire(LEVIN_HOOK_EPOCH_START);
  context_.fire(hooks_.epoch_start);
  share_buffers();  // a hook may have changed the model's weights, for example to averaged ones
  epoch_outputs_.begin(context_.model, stage);
}

// All processes evaluate with the buffers of rank 0.
void EvaluationLoop::share_buffers() const {
  if (context_.strategy.several()) context_.strategy.before_forward(context_.model);
}

bool EvaluationLoop::is_within_fit() const {
  return in_.stage == LEVIN_STAGE_VALIDATE && progress_.place.stage == LEVIN_STAGE_FIT;
}

// A checkpoint saved during validation repeats that validation from its start.
void EvaluationLoop::begin_within_fit() {
  progress_.begin_validation();
  generators_before_ = generator_states(context_.strategy.device(), context_.strategy.further_generators());
  context_.log.begin_repeated();
  seen_ = finished_;
}

void EvaluationLoop::end_within_fit() {
  progress_.end_validation();
  generators_before_.clear();
  context_.log.end_repeated();
  finished_ = seen_;
}

void EvaluationLoop::load_state_dict(const nlohmann::json& state) {
  finished_.clear();
  for (const nlohmann::json& n : state.value("val_batches_seen", nlohmann::json::array()))
    finished_.push_back(RunProgress::count_in(n));
}

void EvaluationLoop::run_batches(int64_t most) {
  auto& loaders = context_.loaders.get(split_);
  std::vector<int64_t> limits = context_.loaders.limits(split_);
  std::vector<std::optional<int64_t>> lengths;
  for (int64_t& limit : limits) {
    if (most != unlimited) limit = sanity_batches(most, limit);
    lengths.push_back(limit == unlimited ? std::nullopt : std::optional<int64_t>(limit));
  }
  const CombinedMode mode = context_.loaders.mode(split_);
  BatchFeed feed(loaders, mode, limits);
  const int64_t total = combined_length(mode, lengths).value_or(unlimited);
  feed.begin_epoch(0, 0, total);
  context_.agreement.begin_evaluation(
      total == unlimited || context_.loaders.has_stream(split_) ? std::nullopt : std::optional<int64_t>(total));
  while (!feed.done()) {
    BatchGroup* group = next_of(feed, split_);
    if (!group) break;
    progress_.reach_val_batch(feed.done());
    const auto index = static_cast<size_t>(group->dataloader_idx);
    if (group->dataloader_idx != progress_.place.dataloader_idx) context_.log.reach_loader_end();
    batches_.enter(*group, one_after_another() ? limits[index] : total);
    batches_.move(*group, loaders);
    run_batch(index);
    if (context_.end_batch) context_.end_batch();
  }
  context_.agreement.end_evaluation();
}

void EvaluationLoop::run_batch(size_t loader) {
  const bool several = seen_.size() > 1 && one_after_another();
  progress_.ready(Counted::val_batch);
  context_.log.eval().set_batch(batches_.first().rows(), several ? progress_.place.dataloader_idx : -1);
  const auto with_batch = [&](levin_event& e) { batches_.show(e); };
  if (context_.fire(hooks_.batch_start, with_batch) == LEVIN_SKIP) return;
  progress_.start(Counted::val_batch);
  batches_.show(in_);
  in_.epoch = progress_.current_epoch();
  in_.global_step = progress_.global_step();
  in_.batch_idx = progress_.batch_idx();
  in_.dataloader_idx = progress_.place.dataloader_idx;
  in_.seed = progress_.seed;
  context_.strategy.step({context_.model, context_.precision, in_, outputs_, context_.log});
  progress_.process(Counted::val_batch);
  epoch_outputs_.add(outputs_);
  context_.fire(hooks_.batch_end, [&](levin_event& e) {
    batches_.show(e);
    outputs_.show(e);
  });
  progress_.complete(Counted::val_batch);
  if (in_.stage != LEVIN_STAGE_SANITY) context_.log.log_eval_step(seen_[loader]++, progress_.batch_idx());
  outputs_.clear();
}

void EvaluationLoop::end_epoch() {
  context_.log.reach_loader_end();
  progress_.leave_batches();
  batches_.leave();
  context_.log.eval().set_batch(1, -1);
  context_.log.reach_end();
  // A process without batches has no outputs, and models do not expect an empty list.
  if (progress_.of(Counted::val_batch).current.ready > 0 || !context_.strategy.several()) {
    const OriginTracker::Scope scope(context_.hooks.origin(), origin_of_hook(hooks_.epoch_end));
    epoch_outputs_.deliver(context_.model, context_.hooks.run());
  }
  context_.fire(hooks_.epoch_end);
  context_.fire(LEVIN_HOOK_EPOCH_END);
  context_.log.log_eval_epoch(context_.log_axis());
  keep_results();
}

void EvaluationLoop::keep_results() {
  for (size_t i = 0; i < results_.size(); ++i) {
    const auto keep = [&](const std::string& name, double value) { results_[i].set(name, value); };
    if (results_.size() > 1 && one_after_another()) context_.log.eval().visit_loader(static_cast<int64_t>(i), keep);
    context_.log.eval().visit_loader(-1, keep);
  }
}

void EvaluationLoop::end(uint32_t stage) {
  if (is_within_fit()) end_within_fit();
  context_.fire(hooks_.end);
  if (context_.model.wants(hooks_.train))
    context_.hooks.model_only(hooks_.train, progress_);
  else
    context_.model.mode(true);
  context_.log.set_evaluating(false, stage == LEVIN_STAGE_SANITY);
}

}  // namespace levin::core
