#include "core/hooks/dispatcher.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/services/run_interface.hpp"

namespace levin::core {
namespace {

// Tuners first, checkpoints last, the rest as given.
int rank_of(const Callback& c) { return (c.flags() & LEVIN_F_FIRST) ? 0 : (c.flags() & LEVIN_F_LAST) ? 2 : 1; }

bool monitors(const Callback& c) { return (c.flags() & LEVIN_F_MONITOR) != 0; }

}  // namespace

Dispatcher::Dispatcher(Model& model, DataModule* data, std::vector<std::unique_ptr<Callback>> callbacks)
    : model_(model), data_(data), callbacks_(std::move(callbacks)) {
  std::stable_sort(callbacks_.begin(), callbacks_.end(),
                   [](const auto& a, const auto& b) { return rank_of(*a) < rank_of(*b); });
  for (uint32_t hook = 0; hook < LEVIN_HOOK_COUNT; ++hook) {
    for (const auto& c : callbacks_)
      if (c->wants(hook)) lists_[hook].push_back(c.get());
    wanted_[hook] = !lists_[hook].empty() || model_.wants(hook);
  }
}

levin_event Dispatcher::make(uint32_t hook) const {
  levin_event e{};
  e.size = sizeof e;
  e.hook = hook;
  e.run = run_;
  e.stage = position_.stage;
  e.epoch = position_.epoch;
  e.global_step = position_.global_step;
  e.batch_idx = position_.batch_idx;
  e.dataloader_idx = position_.dataloader_idx;
  e.optimizer_idx = position_.optimizer_idx;
  e.n_batches = position_.n_batches;
  e.seed = position_.seed;
  return e;
}

void Dispatcher::note(levin_status status, const std::string& who) {
  if (status == LEVIN_STOP) run_->stop("asked for by " + who);
}

levin_status Dispatcher::to_callbacks(const levin_event& event, const std::vector<Callback*>& list) {
  if (tap_) {
    tap_(event);
    return LEVIN_OK;
  }
  levin_status strongest = LEVIN_OK;
  for (Callback* c : list) {
    const levin_status status = traced(c->instance(), event.hook, [&] { return c->on(event); });
    note(status, c->instance());
    if (status > LEVIN_STOP) strongest = std::max(strongest, status);
  }
  return strongest;
}

levin_status Dispatcher::to_model(const levin_event& event) {
  if (!model_.wants(event.hook)) return LEVIN_OK;
  const levin_status status = traced("model", event.hook, [&] { return model_.on(event); });
  note(status, "the model");
  return status > LEVIN_STOP ? status : LEVIN_OK;
}

levin_status Dispatcher::send(const levin_event& event) {
  const OriginScope scope(*this, event.hook);
  const levin_status callbacks = to_callbacks(event, lists_[event.hook]);
  return std::max(callbacks, to_model(event));
}

void Dispatcher::model_only(uint32_t hook) {
  const OriginScope scope(*this, hook);
  to_model(make(hook));
}

void Dispatcher::load_checkpoint(const levin_reader& reader, const std::string& path, int64_t epoch,
                                 int64_t global_step) {
  constexpr uint32_t hook = LEVIN_HOOK_LOAD_CHECKPOINT;
  if (!wanted_[hook]) return;
  const OriginScope scope(*this, hook);
  levin_event event = make(hook);
  event.reader = &reader;
  event.text = path.c_str();
  event.epoch = epoch;
  event.global_step = global_step;
  to_model(event);
  to_callbacks(event, lists_[hook]);
}

void Dispatcher::data_only(uint32_t hook) {
  if (!data_ || !data_->wants(hook)) return;
  const OriginScope scope(*this, hook);
  const levin_event event = make(hook);
  traced("data", hook, [&] { return data_->on(event), LEVIN_OK; });
}

void Dispatcher::train_epoch_end() {
  constexpr uint32_t hook = LEVIN_HOOK_TRAIN_EPOCH_END;
  if (!wanted_[hook]) return;
  const OriginScope scope(*this, hook);
  const levin_event event = make(hook);
  std::vector<Callback*> first, last;
  for (Callback* c : lists_[hook]) (monitors(*c) ? last : first).push_back(c);
  to_callbacks(event, first);
  to_model(event);
  to_callbacks(event, last);
}

std::string Dispatcher::fire_to_all(uint32_t hook, const std::string& text) {
  const OriginScope scope(*this, hook);
  levin_event event = make(hook);
  event.text = text.empty() ? nullptr : text.c_str();
  std::string problem;
  auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (const std::exception& e) {
      if (problem.empty()) problem = e.what();
    }
  };
  for (Callback* c : lists_[hook]) attempt([&] { to_callbacks(event, {c}); });
  if (data_ && hook == LEVIN_HOOK_EXCEPTION && data_->wants(hook)) attempt([&] { data_->on(event); });
  attempt([&] { to_model(event); });
  return problem;
}

}  // namespace levin::core
