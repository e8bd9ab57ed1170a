#include "core/progress/run_progress.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* manual_steps = "epoch_loop.manual_optimization.optim_step_progress";

// In the order of Counted.
constexpr const char* progress_names[] = {"epoch_progress",
                                          "epoch_loop.batch_progress",
                                          "epoch_loop.scheduler_progress",
                                          "epoch_loop.automatic_optimization.optim_progress.optimizer.step",
                                          "epoch_loop.automatic_optimization.optim_progress.optimizer.zero_grad",
                                          manual_steps,
                                          "epoch_loop.val_loop.batch_progress"};
struct NamedField {
  const char* name;
  int64_t Counter::*member;
};
constexpr NamedField all_fields[] = {{"ready", &Counter::ready},
                                     {"started", &Counter::started},
                                     {"processed", &Counter::processed},
                                     {"completed", &Counter::completed}};

json to_json(const Counter& c) {
  json out = json::object();
  for (const NamedField& f : all_fields) out[f.name] = c.*f.member;
  return out;
}

void from_json(const json& j, Counter& c) {
  for (const NamedField& f : all_fields) c.*f.member = RunProgress::count_in(j.at(f.name));
}

// The remaining work for a batch after its step, as checkpoints name it.
int tail_of(FitPhase phase) {
  if (phase == FitPhase::after_validation) return 2;
  return phase == FitPhase::after_step || phase == FitPhase::in_validation ? 1 : 0;
}

FitPhase phase_of_batch(const json& tail, bool validating) {
  if (tail == 0) return FitPhase::in_batches;
  if (tail == 1) return validating ? FitPhase::in_validation : FitPhase::after_step;
  if (tail == 2) return FitPhase::after_validation;
  throw Error(ErrorCode::checkpoint_damaged, "the place within a batch is " + show(tail) + "; it has to be 0, 1 or 2");
}

constexpr int64_t most_batches = int64_t{1} << 53;  // the largest count in a checkpoint

// Resets the counts of events that had begun but were not done when the state was saved, because they are repeated.
void forget_undone(Counter& c) { c.ready = c.started = c.processed; }

void set_all(Counter& c, int64_t n) { c.ready = c.started = c.processed = c.completed = n; }

bool is_within_epoch(FitPhase phase) {
  return phase == FitPhase::in_batches || phase == FitPhase::cut_epoch || tail_of(phase) != 0;
}

}  // namespace

int64_t RunProgress::count_in(const json& value) {
  if (json_rule::count(value)) return value.get<int64_t>();
  throw Error(ErrorCode::checkpoint_damaged, "a counter of the loops is " + show(value) + ", which is not a count");
}

bool FoundPosition::within_epoch() const { return is_within_epoch(phase); }

bool FoundPosition::at_epoch_end() const { return phase == FitPhase::ending_epoch || phase == FitPhase::closing_epoch; }

bool FoundPosition::every_epoch_done() const { return phase == FitPhase::between_epochs || at_epoch_end(); }

bool RunProgress::batch_is_open() const { return tail_of(phase_) != 0; }

double RunProgress::train_seconds() const {
  if (!epoch_runs()) return seconds_before_;
  return seconds_before_ + std::chrono::duration<double>(Clock::now() - epoch_start_).count();
}

void RunProgress::raise(Counted what, int64_t Counter::*event) {
  Progress& progress = at(what);
  ++(progress.total.*event), ++(progress.current.*event);
}

// An earlier fit may have failed in a validation.
void RunProgress::begin_stage(uint32_t stage) {
  place.stage = stage;
  place.dataloader_idx = -1;
  optimizer_idx = -1;
  leave_batches();
  if (phase_ == FitPhase::in_validation) phase_ = FitPhase::after_step;
}

void RunProgress::begin_fit(bool resumes) {
  resumed_ = resumes;
  batches_before_ = of(Counted::batch).total.ready;
  epoch_start_ = {};  // drops the time of an epoch that failed
}

void RunProgress::begin_trial(const RunProgress& run) {
  Counter& epochs = at(Counted::epoch).total;
  epochs.processed = epochs.completed = run.current_epoch();
  for (const Counted what : {Counted::optimizer_step, Counted::zero_grad, Counted::manual_step})
    at(what) = run.of(what);
  place = run.place;
  seed = run.seed;
}

void RunProgress::begin_epoch() {
  phase_ = FitPhase::beginning_epoch;
  raise(Counted::epoch, &Counter::ready);
}

void RunProgress::stop_clock() {
  seconds_before_ = train_seconds();
  epoch_start_ = {};
}

void RunProgress::end_epoch(EpochEnd how) {
  raise(Counted::epoch, &Counter::processed);
  phase_ = how == EpochEnd::whole ? FitPhase::ending_epoch
           : how == EpochEnd::cut ? FitPhase::cut_epoch
                                  : FitPhase::closing_epoch;
}

void RunProgress::schedules_stepped() {
  if (phase_ == FitPhase::ending_epoch) phase_ = FitPhase::closing_epoch;
}

void RunProgress::complete_epoch() {
  raise(Counted::epoch, &Counter::completed);
  if (phase_ != FitPhase::cut_epoch) phase_ = FitPhase::between_epochs;
}

void RunProgress::begin_batches(bool goes_on) {
  place.batch_idx.reset();
  if (goes_on) return;
  phase_ = FitPhase::in_batches;
  at(Counted::val_batch).total = {};
  for (const Counted what :
       {Counted::batch, Counted::schedule, Counted::optimizer_step, Counted::zero_grad, Counted::manual_step})
    at(what).current = {};
  is_last_batch_ = false;
}

void RunProgress::process_batch() {
  raise(Counted::batch, &Counter::processed);
  phase_ = FitPhase::after_step;
}

void RunProgress::process_last_batch() {
  is_last_batch_ = true;
  raise(Counted::batch, &Counter::processed);
}

void RunProgress::begin_evaluation() {
  at(Counted::val_batch).current = {};
  is_last_val_batch_ = false;
}

void RunProgress::forget_evaluations() {
  at(Counted::val_batch) = {};
  is_last_val_batch_ = false;
}

std::optional<int64_t> RunProgress::count(const std::string& name) const {
  if (name == "batches_that_stepped") return batches_that_stepped_;
  if (name == "epoch_loop.batch_progress.is_last_batch") return is_last_batch_;
  if (name == "epoch_loop.val_loop.batch_progress.is_last_batch") return is_last_val_batch_;
  for (size_t i = 0; i < counters_.size(); ++i)
    for (const NamedField& f : all_fields) {
      if (name == std::string(progress_names[i]) + ".total." + f.name) return counters_[i].total.*f.member;
      if (name == std::string(progress_names[i]) + ".current." + f.name) return counters_[i].current.*f.member;
    }
  return std::nullopt;
}

json RunProgress::state_dict() const {
  json progress = json::object();
  for (size_t i = 0; i < counters_.size(); ++i)
    progress[progress_names[i]] = {{"total", to_json(counters_[i].total)}, {"current", to_json(counters_[i].current)}};
  json state = {{"epochs_completed", current_epoch()},
                {"global_step", global_step()},
                {"batches_that_stepped", batches_that_stepped_},
                {"train_seconds", train_seconds()},
                {"epoch_schedules_pending", phase_ == FitPhase::ending_epoch},
                {"is_last_batch", is_last_batch_},
                {"is_last_val_batch", is_last_val_batch_},
                {"tail", tail_of(phase_)},
                {"validating", phase_ == FitPhase::in_validation},
                {"epoch_cut", phase_ == FitPhase::cut_epoch},
                {"progress", std::move(progress)}};
  if (goes_on_after_) state["goes_on_after"] = *goes_on_after_;
  return state;
}

bool RunProgress::made_within_epoch(const json& state) {
  return state.value("epoch_cut", false) ||
         state.at("progress").at("epoch_progress").at("total").at("processed") == state.at("epochs_completed");
}

void RunProgress::reshard_epoch(int64_t rows_before, int64_t rows) {
  Counter& c = at(Counted::batch).current;
  const int64_t done = goes_on_after_.value_or(c.ready);
  if (done > most_batches / rows_before)
    throw Error(ErrorCode::checkpoint_damaged, std::to_string(done) + " batches of an epoch, each of " +
                                                   std::to_string(rows_before) + " rows, are more than there can be");
  const int64_t to_complete = c.ready - c.completed, scaled = done * rows_before / rows;
  goes_on_after_ = scaled;
  // If a batch's remaining work is still to be done, at least that batch counts.
  set_all(c, batch_is_open() ? std::max<int64_t>(scaled, 1) : scaled);
  c.completed -= to_complete;
}

void RunProgress::restart_accumulation(int64_t window) {
  if (!goes_on_after_) return;
  int64_t batches = *std::exchange(goes_on_after_, std::nullopt);
  if (is_last_batch_) return;
  if (place.n_batches > 0) batches = std::min(batches, place.n_batches - 1);  // the epoch's end is still to come
  set_all(at(Counted::batch).current, batches - batches % window);
}

FoundPosition RunProgress::load_state_dict(const json& state) {
  batches_that_stepped_ = count_in(state.at("batches_that_stepped"));
  seconds_before_ = state.at("train_seconds").get<double>();
  load_counters(state.at("progress"), count_in(state.at("global_step")));
  Progress& epoch = at(Counted::epoch);
  if (state.value("epoch_cut", false)) --epoch.total.processed, --epoch.current.processed;
  load_batches(state);
  const FoundPosition found{found_phase(state)};
  if (!found.within_epoch()) goes_on_after_.reset();
  const bool at_end = epochs_processed() > count_in(state.at("epochs_completed"));
  for (Counter* c : {&epoch.total, &epoch.current}) {
    if (!found.within_epoch()) forget_undone(*c);
    c->completed = c->processed - (at_end ? 1 : 0);
  }
  phase_ = found.phase == FitPhase::cut_epoch         ? FitPhase::in_batches
           : found.phase == FitPhase::beginning_epoch ? FitPhase::between_epochs
                                                      : found.phase;
  return found;
}

// An unfinished validation is repeated, so its batches do not count.
void RunProgress::load_batches(const json& state) {
  Progress& batch = at(Counted::batch);
  const Counter& c = batch.current;
  is_last_batch_ = state.at("is_last_batch").get<bool>() && c.ready == c.processed;
  is_last_val_batch_ = state.at("is_last_val_batch").get<bool>();
  forget_undone(batch.total);
  forget_undone(batch.current);
  if (c.completed > c.ready)
    throw Error(ErrorCode::checkpoint_damaged, std::to_string(c.completed) +
                                                   " batches of the epoch were completed, and " +
                                                   std::to_string(c.ready) + " were processed");
  batches_before_ = batch.total.ready;
  goes_on_after_.reset();
  if (state.contains("goes_on_after")) goes_on_after_ = count_in(state.at("goes_on_after"));
  if (!state.value("validating", false)) return;
  Progress& validated = at(Counted::val_batch);
  for (const NamedField& f : all_fields) validated.total.*f.member -= validated.current.*f.member;
  validated.current = {};
}

// Call it with the counters of the state, in which a cut epoch does not count as processed.
FitPhase RunProgress::found_phase(const json& state) const {
  const int64_t completed = count_in(state.at("epochs_completed"));
  const Counter& epochs = of(Counted::epoch).current;
  const bool is_open = epochs.started > epochs.processed;
  const bool has_batch = of(Counted::batch).current.ready > 0 || goes_on_after_;
  if (made_within_epoch(state) && is_open && has_batch) {
    const FitPhase phase = phase_of_batch(state.value("tail", json(0)), state.value("validating", false));
    const bool has_ended = state.value("epoch_cut", false) && completed > epochs_processed();
    return has_ended && phase == FitPhase::in_batches ? FitPhase::cut_epoch : phase;
  }
  if (epochs_processed() > completed)
    return state.at("epoch_schedules_pending").get<bool>() ? FitPhase::ending_epoch : FitPhase::closing_epoch;
  return epochs.ready == epochs.processed && !is_open ? FitPhase::between_epochs : FitPhase::beginning_epoch;
}

// Older checkpoints have no counter for manual optimization; its steps are derived from the global step.
void RunProgress::load_counters(const json& progress, int64_t global_step) {
  for (size_t i = 0; i < counters_.size(); ++i) {
    const bool is_manual = i == static_cast<size_t>(Counted::manual_step);
    if (is_manual && !progress.contains(manual_steps)) continue;
    from_json(progress.at(progress_names[i]).at("total"), counters_[i].total);
    from_json(progress.at(progress_names[i]).at("current"), counters_[i].current);
  }
  if (progress.contains(manual_steps)) return;
  Progress& manual = at(Counted::manual_step) = {};
  manual.total.ready = manual.total.completed = global_step - of(Counted::optimizer_step).total.completed;
}

}  // namespace levin::core
