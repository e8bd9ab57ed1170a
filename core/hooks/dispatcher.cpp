#include "core/hooks/dispatcher.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

// Tuners are called first and checkpoint callbacks last; the others keep their order.
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

template <class Call>
levin_status Dispatcher::traced(const std::string& who, uint32_t hook, Call&& call) {
  const OriginTracker& origin = model_.origin();
  origin.trace(who, origin_of_hook(hook), true);
  const levin_status status = call();
  origin.trace(who, origin_of_hook(hook), false);
  return status;
}

levin_event Dispatcher::make(uint32_t hook, const RunProgress& progress) const {
  levin_event e{};
  e.size = sizeof e;
  e.hook = hook;
  e.run = run_;
  e.stage = progress.place.stage;
  e.epoch = progress.current_epoch();
  e.global_step = progress.global_step();
  e.batch_idx = progress.batch_idx();
  e.dataloader_idx = progress.place.dataloader_idx;
  e.optimizer_idx = progress.optimizer_idx;
  e.n_batches = progress.place.n_batches;
  e.seed = progress.seed;
  return e;
}

levin_status Dispatcher::to_callbacks(const levin_event& event, const std::vector<Callback*>& list,
                                      RunProgress& progress) {
  if (interceptor_) {
    interceptor_(event);
    return LEVIN_OK;
  }
  levin_status strongest = LEVIN_OK;
  for (Callback* c : list) {
    const levin_status status = traced(c->instance(), event.hook, [&] { return c->on(event); });
    if (status == LEVIN_STOP) progress.stop.ask("requested by " + c->instance());
    if (status > LEVIN_STOP) strongest = std::max(strongest, status);
  }
  return strongest;
}

levin_status Dispatcher::to_model(const levin_event& event, RunProgress& progress) {
  if (!model_.wants(event.hook)) return LEVIN_OK;
  const levin_status status = traced("model", event.hook, [&] { return model_.on(event); });
  if (status == LEVIN_STOP) progress.stop.ask("requested by the model");
  return status > LEVIN_STOP ? status : LEVIN_OK;
}

levin_status Dispatcher::send(const levin_event& event, RunProgress& progress) {
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(event.hook));
  const levin_status callbacks = to_callbacks(event, lists_[event.hook], progress);
  return std::max(callbacks, to_model(event, progress));
}

void Dispatcher::model_only(uint32_t hook, RunProgress& progress) {
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(hook));
  to_model(make(hook, progress), progress);
}

void Dispatcher::data_only(uint32_t hook, RunProgress& progress) {
  if (!data_ || !data_->wants(hook)) return;
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(hook));
  const levin_event event = make(hook, progress);
  traced("data", hook, [&] { return data_->on(event), LEVIN_OK; });
}

void Dispatcher::load_checkpoint(RunProgress& progress, const levin_reader& reader, const std::string& path,
                                 int64_t epoch, int64_t global_step) {
  constexpr uint32_t hook = LEVIN_HOOK_LOAD_CHECKPOINT;
  if (!wanted_[hook]) return;
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(hook));
  levin_event event = make(hook, progress);
  event.reader = &reader;
  event.text = path.c_str();
  event.epoch = epoch;
  event.global_step = global_step;
  to_model(event, progress);
  to_callbacks(event, lists_[hook], progress);
}

void Dispatcher::train_epoch_end(RunProgress& progress, const std::function<void()>& before_monitors) {
  constexpr uint32_t hook = LEVIN_HOOK_TRAIN_EPOCH_END;
  if (!wanted_[hook]) return;
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(hook));
  const levin_event event = make(hook, progress);
  std::vector<Callback*> first, last;
  for (Callback* c : lists_[hook]) (monitors(*c) ? last : first).push_back(c);
  to_callbacks(event, first, progress);
  to_model(event, progress);
  before_monitors();
  to_callbacks(event, last, progress);
}

std::string Dispatcher::fire_to_all(uint32_t hook, RunProgress& progress, const std::string& text) {
  const OriginTracker::Scope scope(model_.origin(), origin_of_hook(hook));
  levin_event event = make(hook, progress);
  event.text = text.empty() ? nullptr : text.c_str();
  std::string problem;
  auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (const std::exception& e) {
      if (problem.empty()) problem = e.what();
    }
  };
  for (Callback* c : lists_[hook]) attempt([&] { to_callbacks(event, {c}, progress); });
  if (data_ && hook == LEVIN_HOOK_EXCEPTION && data_->wants(hook)) attempt([&] { data_->on(event); });
  attempt([&] { to_model(event, progress); });
  return problem;
}

}  // namespace levin::core
