#include "core/loops/prediction_loop.hpp"

#include <c10/core/InferenceMode.h>

#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"
#include "core/data/batch_feed.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

PredictionLoop::PredictionLoop(const LoopContext& context)
    : context_(context),
      progress_(context.progress),
      batches_(context.model, context.precision, context.strategy, context.progress),
      in_(make_step_in(LEVIN_STAGE_PREDICT, context.hooks.run())) {}

void PredictionLoop::run(const Sink& sink) {
  const auto& loaders = context_.loaders.get(LEVIN_PREDICT);
  if (loaders.empty())
    throw Error(ErrorCode::data_empty,
                context_.loaders.data().plugin() + " has no data to predict (no predict_dataloader)");
  progress_.place.num_dataloaders = static_cast<int64_t>(loaders.size());
  context_.hooks.model_only(LEVIN_HOOK_PREDICT_MODEL_EVAL, progress_);
  context_.model.mode(false);
  context_.fire(LEVIN_HOOK_PREDICT_START);
  context_.fire(LEVIN_HOOK_PREDICT_EPOCH_START);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(context_.plan.numerics.inference_mode);
    run_batches(sink);
  }
  context_.fire(LEVIN_HOOK_PREDICT_EPOCH_END);
  context_.fire(LEVIN_HOOK_PREDICT_END);
  context_.model.mode(true);
}

void PredictionLoop::run_batches(const Sink& sink) {
  auto& loaders = context_.loaders.get(LEVIN_PREDICT);
  const std::vector<int64_t> limits = context_.loaders.limits(LEVIN_PREDICT);
  BatchFeed feed(loaders, CombinedMode::sequential, limits);
  feed.begin_epoch(0, 0, context_.loaders.total_batches(LEVIN_PREDICT));
  const auto next = [&feed] {
    const CallScope action("predict_next");
    return feed.next();
  };
  const int64_t total = context_.loaders.total_batches(LEVIN_PREDICT);
  const bool known = total >= 0 && !context_.loaders.has_stream(LEVIN_PREDICT);
  context_.agreement.begin_evaluation(known ? std::optional<int64_t>(total) : std::nullopt);
  bool any = false;
  while (BatchGroup* group = next()) {
    any = true;
    batches_.enter(*group, limits[static_cast<size_t>(group->dataloader_idx)]);
    batches_.move(*group, loaders);
    run_batch(sink);
    if (context_.end_batch) context_.end_batch();
  }
  context_.agreement.end_evaluation();
  if (!any && context_.speaks_for_all())
    context_.warn("nothing is predicted: " + context_.loaders.why_empty(LEVIN_PREDICT));
}

void PredictionLoop::run_batch(const Sink& sink) {
  context_.fire(LEVIN_HOOK_PREDICT_BATCH_START, [&](levin_event& e) { batches_.show(e); });
  batches_.show(in_);
  in_.batch_idx = progress_.batch_idx();
  in_.dataloader_idx = progress_.place.dataloader_idx;
  in_.seed = progress_.seed;
  context_.strategy.step({context_.model, context_.precision, in_, outputs_, context_.log});
  context_.fire(LEVIN_HOOK_PREDICT_BATCH_END, [&](levin_event& e) {
    batches_.show(e);
    outputs_.show(e);
    e.loss = nullptr;
  });
  sink(outputs_.named, batches_.first());
  outputs_.clear();
}

}  // namespace levin::core
