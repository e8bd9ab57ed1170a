#include "core/progress/progress.hpp"

#include <utility>

namespace levin::core {
namespace {

using nlohmann::json;

struct NamedProgress {
  const char* name;
  Progress& (*of)(FitProgress&);
};
constexpr NamedProgress all_progress[] = {
    {"epoch_progress", [](FitProgress& p) -> Progress& { return p.epoch; }},
    {"epoch_loop.batch_progress", [](FitProgress& p) -> Progress& { return p.batch; }},
    {"epoch_loop.scheduler_progress", [](FitProgress& p) -> Progress& { return p.schedule; }},
    {"epoch_loop.automatic_optimization.optim_progress.optimizer.step",
     [](FitProgress& p) -> Progress& { return p.optim.step; }},
    {"epoch_loop.automatic_optimization.optim_progress.optimizer.zero_grad",
     [](FitProgress& p) -> Progress& { return p.optim.zero_grad; }},
    {"epoch_loop.val_loop.batch_progress", [](FitProgress& p) -> Progress& { return p.val_batch; }},
};
struct NamedField {
  const char* name;
  int64_t Counter::*member;
};
constexpr NamedField all_fields[] = {{"ready", &Counter::ready},
                                     {"started", &Counter::started},
                                     {"processed", &Counter::processed},
                                     {"completed", &Counter::completed}};

const Progress& part(const NamedProgress& named, const FitProgress& all) {
  return named.of(const_cast<FitProgress&>(all));
}

json to_json(const Counter& c) {
  json out = json::object();
  for (const NamedField& f : all_fields) out[f.name] = c.*f.member;
  return out;
}

void from_json(const json& j, Counter& c) {
  for (const NamedField& f : all_fields) c.*f.member = j.at(f.name).get<int64_t>();
}

// What was not done when the state was saved begins again.
void forget_undone(Counter& c) { c.ready = c.started = c.processed; }

}  // namespace

void FitProgress::begin_epoch() {
  val_batch.total = {};
  skip_epoch = epoch_cut = false;
  if (std::exchange(within_epoch, false)) return;
  batch.current = schedule.current = optim.step.current = optim.zero_grad.current = {};
  is_last_batch = false;
}

std::optional<int64_t> FitProgress::count(const std::string& name) const {
  if (name == "batches_that_stepped") return batches_that_stepped;
  if (name == "epoch_loop.batch_progress.is_last_batch") return is_last_batch;
  if (name == "epoch_loop.val_loop.batch_progress.is_last_batch") return is_last_val_batch;
  for (const NamedProgress& p : all_progress)
    for (const NamedField& f : all_fields) {
      if (name == std::string(p.name) + ".total." + f.name) return part(p, *this).total.*f.member;
      if (name == std::string(p.name) + ".current." + f.name) return part(p, *this).current.*f.member;
    }
  return std::nullopt;
}

json FitProgress::state_dict(int64_t epochs_completed, int64_t global_step) const {
  json progress = json::object();
  for (const NamedProgress& p : all_progress)
    progress[p.name] = {{"total", to_json(part(p, *this).total)}, {"current", to_json(part(p, *this).current)}};
  return {{"epochs_completed", epochs_completed},
          {"global_step", global_step},
          {"batches_that_stepped", batches_that_stepped},
          {"train_seconds", seconds()},
          {"epoch_schedules_pending", epoch_schedules_pending},
          {"is_last_batch", is_last_batch},
          {"is_last_val_batch", is_last_val_batch},
          {"tail", static_cast<int>(tail)},
          {"window_open", window_open},
          {"epoch_cut", epoch_cut},
          {"progress", std::move(progress)}};
}

bool FitProgress::made_within_epoch(const json& state) {
  return state.value("epoch_cut", false) ||
         state.at("progress").at("epoch_progress").at("total").at("processed") == state.at("epochs_completed");
}

int64_t FitProgress::load_state_dict(const json& state) {
  batches_that_stepped = state.at("batches_that_stepped").get<int64_t>();
  train_seconds = state.at("train_seconds").get<double>();
  epoch_schedules_pending = state.at("epoch_schedules_pending").get<bool>();
  is_last_batch = state.at("is_last_batch").get<bool>();
  is_last_val_batch = state.at("is_last_val_batch").get<bool>();
  for (const NamedProgress& p : all_progress) {
    const json& saved = state.at("progress").at(p.name);
    from_json(saved.at("total"), p.of(*this).total);
    from_json(saved.at("current"), p.of(*this).current);
  }
  if (state.value("epoch_cut", false)) --epoch.total.processed, --epoch.current.processed;
  const int64_t processed = epochs_processed();
  for (Counter* c : {&epoch.total, &epoch.current}) {
    forget_undone(*c);
    c->completed = c->processed;
  }
  is_last_batch = is_last_batch && batch.current.ready == batch.current.processed;
  for (Counter* c : {&batch.total, &batch.current}) forget_undone(*c);
  resumed_at_epoch_end = processed > state.at("epochs_completed").get<int64_t>();
  window_open = state.value("window_open", false);
  within_epoch = made_within_epoch(state) && batch.current.ready > 0;
  tail = within_epoch ? static_cast<BatchTail>(state.value("tail", 0)) : BatchTail::none;
  return processed;
}

}  // namespace levin::core
