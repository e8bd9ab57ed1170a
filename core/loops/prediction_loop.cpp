#include "core/loops/prediction_loop.hpp"

#include <c10/core/InferenceMode.h>

#include "core/base/error.hpp"
#include "core/components/breadcrumb.hpp"
#include "core/data/batch_feed.hpp"
#include "core/data/limits.hpp"
#include "core/logging/log_rules.hpp"

namespace levin::core {

PredictionLoop::PredictionLoop(RunContext& context) : c_(context), batches_(context) {
  in_.size = sizeof in_;
  in_.stage = LEVIN_STAGE_PREDICT;
  in_.run = context.run;
  in_.optimizer_idx = in_.split_idx = -1;
}

void PredictionLoop::run(const Sink& sink) {
  auto& loaders = c_.loaders.get(LEVIN_PREDICT);
  if (loaders.empty())
    throw Error(ErrorKind::data, c_.data.plugin() + " has no data to predict (no predict_dataloader)");
  c_.at().stage = LEVIN_STAGE_PREDICT;
  c_.at().num_dataloaders = static_cast<int64_t>(loaders.size());
  c_.hooks.model_only(LEVIN_HOOK_PREDICT_MODEL_EVAL);
  c_.model.mode(false);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_START);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_EPOCH_START);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(c_.plan.inference_mode);
    const std::vector<int64_t> limits = c_.loaders.limits(LEVIN_PREDICT);
    BatchFeed feed(loaders, CombinedMode::sequential, limits);
    feed.begin_epoch(0, 0, c_.loaders.total_batches(LEVIN_PREDICT));
    const auto next = [&feed] {
      const CallScope action("predict_next");
      return feed.next();
    };
    while (BatchGroup* group = next()) {
      const auto i = static_cast<size_t>(group->dataloader_idx);
      c_.at().dataloader_idx = group->dataloader_idx;
      c_.at().n_batches = limits[i];
      c_.at().batch_idx = group->batch_idx;
      batches_.take(*group, loaders);
      run_batch(sink);
      if (c_.end_batch) c_.end_batch();
    }
  }
  c_.hooks.fire(LEVIN_HOOK_PREDICT_EPOCH_END);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_END);
  c_.model.mode(true);
}

void PredictionLoop::run_batch(const Sink& sink) {
  c_.hooks.fire(LEVIN_HOOK_PREDICT_BATCH_START, [&](levin_event& e) { batches_.show(e); });
  batches_.show(in_);
  in_.batch_idx = c_.at().batch_idx;
  in_.dataloader_idx = c_.at().dataloader_idx;
  in_.seed = c_.at().seed;
  {
    const Dispatcher::OriginScope scope(c_.hooks, predict_step);
    c_.precision.forward([&] { c_.model.step(in_, outputs_); });
  }
  c_.hooks.fire(LEVIN_HOOK_PREDICT_BATCH_END, [&](levin_event& e) {
    batches_.show(e);
    const auto& view = outputs_.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
  });
  sink(outputs_.named, batches_.first());
  outputs_.clear();
}

}  // namespace levin::core
