#include "core/loops/prediction_loop.hpp"

#include <c10/core/InferenceMode.h>

#include "core/base/error.hpp"
#include "core/data/fetcher.hpp"
#include "core/data/limits.hpp"
#include "core/logging/log_rules.hpp"

namespace levin::core {

PredictionLoop::PredictionLoop(RunContext& context)
    : c_(context), transfer_(context.model, context.precision, context.strategy) {
  in_.size = sizeof in_;
  in_.stage = LEVIN_STAGE_PREDICT;
  in_.run = context.run;
  in_.optimizer_idx = in_.split_idx = -1;
}

void PredictionLoop::run(const Sink& sink) {
  auto& loaders = c_.loaders.get(LEVIN_PREDICT);
  if (loaders.empty()) throw Error(ErrorKind::data, c_.data.plugin() + " has no data to predict");
  c_.at().stage = LEVIN_STAGE_PREDICT;
  c_.at().num_dataloaders = static_cast<int64_t>(loaders.size());
  c_.hooks.model_only(LEVIN_HOOK_PREDICT_MODEL_EVAL);
  c_.model.mode(false);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_START);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_EPOCH_START);
  {
    const at::NoGradGuard no_grad;
    const c10::InferenceMode inference(c_.plan.inference_mode);
    for (size_t i = 0; i < loaders.size(); ++i) {
      const int64_t limit = c_.loaders.batches(LEVIN_PREDICT, i);
      c_.at().dataloader_idx = static_cast<int64_t>(i);
      c_.at().n_batches = limit;
      Fetcher fetcher(*loaders[i]);
      fetcher.begin_epoch(0, 0, limit);
      for (int64_t b = 0; Batch* batch = fetcher.next(); ++b) {
        c_.at().batch_idx = b;
        run_batch(transfer_(*batch, loaders[i]->field_names()), sink);
        if (c_.check_signals) c_.check_signals();
      }
    }
  }
  c_.hooks.fire(LEVIN_HOOK_PREDICT_EPOCH_END);
  c_.hooks.fire(LEVIN_HOOK_PREDICT_END);
  c_.model.mode(true);
}

void PredictionLoop::run_batch(Batch& batch, const Sink& sink) {
  c_.hooks.fire(LEVIN_HOOK_PREDICT_BATCH_START, [&](levin_event& e) { e.batch = batch.raw(); });
  const levin_batch* raw = batch.raw();
  in_.batch = raw;
  in_.batches = &raw;
  in_.n_batches = 1;
  in_.batch_idx = c_.at().batch_idx;
  in_.dataloader_idx = c_.at().dataloader_idx;
  in_.seed = c_.at().seed;
  {
    const Dispatcher::OriginScope scope(c_.hooks, predict_step);
    c_.precision.forward([&] { c_.model.step(in_, outputs_); });
  }
  c_.hooks.fire(LEVIN_HOOK_PREDICT_BATCH_END, [&](levin_event& e) {
    e.batch = raw;
    const auto& view = outputs_.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
  });
  sink(outputs_.named, batch);
  outputs_.clear();
}

}  // namespace levin::core
