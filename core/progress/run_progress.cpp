#include "core/progress/run_progress.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/json_rules.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* manual_steps = "epoch_loop.manual_optimization.optim_step_progress";

struct NamedProgress {
  const char* name;
  Progress& (*of)(RunProgress&);
};
constexpr NamedProgress all_progress[] = {
    {"epoch_progress", [](RunProgress& p) -> Progress& { return p.epoch; }},
    {"epoch_loop.batch_progress", [](RunProgress& p) -> Progress& { return p.batch; }},
    {"epoch_loop.scheduler_progress", [](RunProgress& p) -> Progress& { return p.schedule; }},
    {"epoch_loop.automatic_optimization.optim_progress.optimizer.step",
     [](RunProgress& p) -> Progress& { return p.optim.step; }},
    {"epoch_loop.automatic_optimization.optim_progress.optimizer.zero_grad",
     [](RunProgress& p) -> Progress& { return p.optim.zero_grad; }},
    {manual_steps, [](RunProgress& p) -> Progress& { return p.manual_step; }},
    {"epoch_loop.val_loop.batch_progress", [](RunProgress& p) -> Progress& { return p.val_batch; }},
};
struct NamedField {
  const char* name;
  int64_t Counter::*member;
};
constexpr NamedField all_fields[] = {{"ready", &Counter::ready},
                                     {"started", &Counter::started},
                                     {"processed", &Counter::processed},
                                     {"completed", &Counter::completed}};

const Progress& read(const NamedProgress& named, const RunProgress& all) {
  return named.of(const_cast<RunProgress&>(all));
}

json to_json(const Counter& c) {
  json out = json::object();
  for (const NamedField& f : all_fields) out[f.name] = c.*f.member;
  return out;
}

int64_t counter_from_json(const json& j) {
  if (json_rule::count(j)) return j.get<int64_t>();
  throw Error(ErrorKind::checkpoint, "a counter of the loops is " + show(j) + ", which is no count");
}

void from_json(const json& j, Counter& c) {
  for (const NamedField& f : all_fields) c.*f.member = counter_from_json(j.at(f.name));
}

ResumePoint resume_point_of(const json& j) {
  for (const ResumePoint point : {ResumePoint::next_batch, ResumePoint::logging, ResumePoint::schedules})
    if (j == static_cast<int>(point)) return point;
  throw Error(ErrorKind::checkpoint, "the place within a batch is " + show(j) + "; it has to be 0, 1 or 2");
}

constexpr int64_t most_batches = int64_t{1} << 53;  // the largest count in a checkpoint

// Resets the counts of events that had begun but were not done when the state was saved, because they are repeated.
void forget_undone(Counter& c) { c.ready = c.started = c.processed; }

void set_all(Counter& c, int64_t n) { c.ready = c.started = c.processed = c.completed = n; }

}  // namespace

double RunProgress::train_seconds() const {
  if (!epoch_runs()) return seconds_before_;
  return seconds_before_ + std::chrono::duration<double>(Clock::now() - epoch_start_).count();
}

void RunProgress::begin_stage(uint32_t stage) {
  place.stage = stage;
  place.dataloader_idx = -1;
  place.batch_idx.reset();
  optimizer_idx = -1;
  in_batches_ = validating = false;
}

void RunProgress::begin_batches() {
  in_batches_ = true;
  epoch_interrupted = false;
  if (std::exchange(within_epoch, false)) return;
  ends_window = true;
  skip_epoch = wants_skip_epoch = sent_skip_epoch = false;
  val_batch.total = {};
  resume_point = ResumePoint::next_batch;  // a failed fit may have left another value
  batch.current = schedule.current = optim.step.current = optim.zero_grad.current = manual_step.current = {};
  is_last_batch = false;
}

void RunProgress::stop_clock() {
  seconds_before_ = train_seconds();
  epoch_start_ = {};
}

void RunProgress::complete_resumed_epoch() {
  if (std::exchange(resumed_at_epoch_end, false)) epoch.raise(&Counter::completed);
}

std::optional<int64_t> RunProgress::count(const std::string& name) const {
  if (name == "batches_that_stepped") return batches_that_stepped;
  if (name == "epoch_loop.batch_progress.is_last_batch") return is_last_batch;
  if (name == "epoch_loop.val_loop.batch_progress.is_last_batch") return is_last_val_batch;
  for (const NamedProgress& p : all_progress)
    for (const NamedField& f : all_fields) {
      if (name == std::string(p.name) + ".total." + f.name) return read(p, *this).total.*f.member;
      if (name == std::string(p.name) + ".current." + f.name) return read(p, *this).current.*f.member;
    }
  return std::nullopt;
}

json RunProgress::state_dict() const {
  json progress = json::object();
  for (const NamedProgress& p : all_progress)
    progress[p.name] = {{"total", to_json(read(p, *this).total)}, {"current", to_json(read(p, *this).current)}};
  json state = {{"epochs_completed", current_epoch()},
                {"global_step", global_step()},
                {"batches_that_stepped", batches_that_stepped},
                {"train_seconds", train_seconds()},
                {"epoch_schedules_pending", epoch_schedules_pending},
                {"is_last_batch", is_last_batch},
                {"is_last_val_batch", is_last_val_batch},
                {"tail", static_cast<int>(resume_point)},
                {"window_open", window_open},
                {"ends_window", ends_window},
                {"skip_epoch", skip_epoch},
                {"wants_skip_epoch", wants_skip_epoch},
                {"sent_skip_epoch", sent_skip_epoch},
                {"validating", validating || validation_cut},  // true also if the validation is still to be repeated
                {"val_batches_seen", val_batches_seen},
                {"epoch_cut", epoch_interrupted},
                {"progress", std::move(progress)}};
  if (goes_on_after_) state["goes_on_after"] = *goes_on_after_;
  return state;
}

bool RunProgress::made_within_epoch(const json& state) {
  return state.value("epoch_cut", false) ||
         state.at("progress").at("epoch_progress").at("total").at("processed") == state.at("epochs_completed");
}

void RunProgress::reshard_epoch(int64_t rows_before, int64_t rows) {
  if (!within_epoch) return;
  window_open = false;
  Counter& c = batch.current;
  const int64_t done = goes_on_after_.value_or(c.ready);
  if (done > most_batches / rows_before)
    throw Error(ErrorKind::checkpoint, std::to_string(done) + " batches of an epoch, each of " +
                                           std::to_string(rows_before) + " rows, are more than there can be");
  const int64_t to_complete = c.ready - c.completed, scaled = done * rows_before / rows;
  goes_on_after_ = scaled;
  // If a batch's remaining work is still to be done, at least that batch counts.
  set_all(c, resume_point == ResumePoint::next_batch ? scaled : std::max<int64_t>(scaled, 1));
  c.completed -= to_complete;
}

void RunProgress::restart_accumulation() {
  if (!goes_on_after_) return;
  int64_t batches = *std::exchange(goes_on_after_, std::nullopt);
  if (is_last_batch) return;
  if (place.n_batches > 0) batches = std::min(batches, place.n_batches - 1);  // the epoch's end is still to come
  set_all(batch.current, batches - batches % accumulate_grad_batches);
}

void RunProgress::load_state_dict(const json& state) {
  batches_that_stepped = counter_from_json(state.at("batches_that_stepped"));
  seconds_before_ = state.at("train_seconds").get<double>();
  epoch_schedules_pending = state.at("epoch_schedules_pending").get<bool>();
  is_last_batch = state.at("is_last_batch").get<bool>();
  is_last_val_batch = state.at("is_last_val_batch").get<bool>();
  load_counters(state.at("progress"), counter_from_json(state.at("global_step")));
  if (state.value("epoch_cut", false)) --epoch.total.processed, --epoch.current.processed;
  const Counter& epochs = epoch.current;
  const bool epoch_is_open = epochs.started > epochs.processed;
  resumed_between_epochs = epochs.ready == epochs.processed && !epoch_is_open;
  resumed_at_epoch_end = epochs_processed() > counter_from_json(state.at("epochs_completed"));
  is_last_batch = is_last_batch && batch.current.ready == batch.current.processed;
  for (Counter* c : {&batch.total, &batch.current}) forget_undone(*c);
  check_batches();
  window_open = state.value("window_open", false);
  ends_window = state.value("ends_window", !window_open);
  goes_on_after_.reset();
  if (state.contains("goes_on_after")) goes_on_after_ = counter_from_json(state.at("goes_on_after"));
  load_validations(state);
  within_epoch = made_within_epoch(state) && epoch_is_open && (batch.current.ready > 0 || goes_on_after_);
  if (!within_epoch) goes_on_after_.reset();
  const bool was_cut = state.value("epoch_cut", false);
  epoch_to_end = within_epoch && !(was_cut && counter_from_json(state.at("epochs_completed")) > epoch.total.processed);
  for (Counter* c : {&epoch.total, &epoch.current}) {
    if (!within_epoch) forget_undone(*c);
    c->completed = c->processed - (resumed_at_epoch_end ? 1 : 0);
  }
  skip_epoch = within_epoch && state.value("skip_epoch", false);
  wants_skip_epoch = within_epoch && state.value("wants_skip_epoch", false);
  sent_skip_epoch = within_epoch && state.value("sent_skip_epoch", false);
  resume_point = within_epoch ? resume_point_of(state.value("tail", json(0))) : ResumePoint::next_batch;
  validation_cut = validation_cut && resume_point == ResumePoint::logging;
}

void RunProgress::check_batches() const {
  const Counter& c = batch.current;
  if (c.completed > c.ready)
    throw Error(ErrorKind::checkpoint, std::to_string(c.completed) + " batches of the epoch were completed, and " +
                                           std::to_string(c.ready) + " were processed");
}

// An unfinished validation is repeated, so its batches do not count.
void RunProgress::load_validations(const json& state) {
  validating = false;
  validation_cut = state.value("validating", false);
  val_batches_seen.clear();
  for (const json& n : state.value("val_batches_seen", json::array())) val_batches_seen.push_back(counter_from_json(n));
  if (!validation_cut) return;
  for (const NamedField& f : all_fields) val_batch.total.*f.member -= val_batch.current.*f.member;
  val_batch.current = {};
}

// Older checkpoints have no counter for manual optimization; its steps are derived from the global step.
void RunProgress::load_counters(const json& progress, int64_t global_step) {
  for (const NamedProgress& p : all_progress) {
    if (!progress.contains(p.name) && std::string(p.name) == manual_steps) continue;
    from_json(progress.at(p.name).at("total"), p.of(*this).total);
    from_json(progress.at(p.name).at("current"), p.of(*this).current);
  }
  if (progress.contains(manual_steps)) return;
  manual_step = {};
  manual_step.total.ready = manual_step.total.completed = global_step - optim.step.total.completed;
}

}  // namespace levin::core
