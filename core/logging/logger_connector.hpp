// Passes logged values to callbacks, loggers and the progress bar at the right time.
#pragma once
#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/logging/logger_list.hpp"
#include "core/logging/metrics/metric_store.hpp"
#include "core/logging/reduction/delayed_rows.hpp"
#include "core/logging/reduction/metric_reducer.hpp"

namespace levin::core {

// The position of a row of metrics in the training.
struct LogAxis {
  int64_t epoch = 0;
  int64_t batches_that_stepped = 0;
};

struct LogSettings {
  int64_t log_every_n_steps = 0;  // 0 = no step metrics
  bool barebones = false;         // log nothing
  bool move_metrics_to_cpu = false;
};

class LoggerConnector {
 public:
  // processes: the run's process group; nullptr = a single process. All processes call the collective functions in the
  // same order.
  LoggerConnector(LoggerList& loggers, const LogSettings& settings, ProcessGroup* processes = nullptr, Warn warn = {})
      : loggers_(loggers), settings_(settings), train_(true), eval_(false), warn_(std::move(warn)) {
    if (processes && processes->size() > 1) reducer_.emplace(*processes);
  }

  // Handles a call of log(): puts the value into the store of the running loop. Throws Error{usage}. ranks: as in
  // MetricStore. step: the step value of a metric with a state that several instances of the model have logged.
  void log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks = {},
           const std::optional<double>& step = std::nullopt);

  // While a recorder is set, log() passes its arguments to it and stores nothing. nullptr removes it.
  using Recorder = std::function<void(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks)>;
  void record(Recorder recorder) { recorder_ = std::move(recorder); }

  MetricStore& train() { return train_; }
  MetricStore& eval() { return eval_; }
  MetricStore& active() { return evaluating_ ? eval_ : train_; }
  void set_evaluating(bool on, bool sanity) {
    if (!sanity) refresh();
    evaluating_ = on;
    sanity_ = on && sanity;
    rows_.clear();
  }
  bool evaluating() const { return evaluating_; }

  // Called when the batches of one of several loaders have ended: keeps the values logged last.
  void reach_loader_end() { refresh(); }
  // Called when all batches have ended: keeps the values logged last, then switches to the values of the epoch, over
  // all processes. Collective.
  void reach_end() {
    refresh();
    active().reach_end();
    agree();
  }
  // Makes the values logged at the end of an epoch or evaluation, and all values that callbacks see, the same in all
  // processes. Collective.
  void agree();
  // Reduces the batch's values that were logged with sync_dist over the processes. Collective. in_any_case: as in
  // MetricReducer.
  void agree_on_step(bool in_any_case = false) {
    if (reducer_ && !settings_.barebones) reducer_->reduce_steps(active(), in_any_case);
  }
  // Call before saving a checkpoint within an epoch. Collective.
  void note_states() {
    if (reducer_ && !settings_.barebones) reducer_->note_states(train_);
  }

  // Returns true if log_every_n_steps is larger than the batches of an epoch, so that no step metric reaches the
  // loggers.
  bool outlasts(int64_t batches) const { return !loggers_.empty() && batches < settings_.log_every_n_steps; }
  // Returns true if the step metrics of this batch are sent to the loggers.
  bool due(int64_t batches_that_stepped, bool stopping) const {
    const int64_t every = settings_.log_every_n_steps;
    return every > 0 && ((batches_that_stepped + 1) % every == 0 || stopping);
  }
  void flush() { loggers_.flush(); }
  // Encloses what a run resumed from a checkpoint of this time repeats: its rows are not logged twice.
  void begin_repeated() { loggers_.begin_repeated(); }
  void end_repeated() { loggers_.end_repeated(); }
  // Returns the step for values logged now, also by media and log_now: that of the current batch, or of the epoch's
  // last batch after its end.
  int64_t step_now(int64_t batches_that_stepped) const {
    return !evaluating_ && train_.at_end() ? batches_that_stepped - 1 : batches_that_stepped;
  }
  // Returns true if values logged now may reach loggers: not in a sanity check, and never under trainer.barebones.
  bool reaches_loggers() const { return !sanity_ && !settings_.barebones; }
  void log_train_step(const LogAxis& axis);
  void log_train_epoch(const LogAxis& axis);  // also resets the store; collective
  // batch: its index in its loader. Values with sync_dist reach the loggers at the end of the evaluation.
  void log_eval_step(int64_t step, int64_t batch = 0);
  void log_eval_epoch(const LogAxis& axis);  // collective
  void drop_sanity_metrics();

  // Updates the metrics from the active store and returns them.
  const OrderedMetrics& metrics(MetricSet set);
  bool metric(MetricSet set, const std::string& name, double& out);
  // Returns the value that a schedule monitors, which is rank 0's. Collective.
  std::optional<double> monitored(const std::string& name);

  // Sets a value for callbacks that was sent to the loggers without log().
  void publish(const std::string& name, double value) { callback_.set(name, value); }

  // The values that callbacks see, as [name, value] pairs, for resuming. Values that are not finite are text.
  nlohmann::json state_dict();
  void load_state_dict(const nlohmann::json& state);

 private:
  void refresh();
  void send(const OrderedMetrics& values, const LogAxis* axis, int64_t step);
  OrderedMetrics collect(MetricSet set);
  nlohmann::json callback_pairs() const;
  void warn_of_unreduced(const std::string& name);

  LoggerList& loggers_;
  Recorder recorder_;
  LogSettings settings_;
  MetricStore train_, eval_;
  Warn warn_;
  std::optional<MetricReducer> reducer_;  // nullopt = a single process
  DelayedRows rows_;
  std::set<std::string> warned_of_;
  bool evaluating_ = false, sanity_ = false;
  OrderedMetrics callback_, logged_, progress_, results_;  // results_: of the evaluation that ended last
};

}  // namespace levin::core
