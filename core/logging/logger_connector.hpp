// Brings logged values to callbacks, loggers and the progress bar at the right time.
#pragma once
#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/logging/logger_list.hpp"
#include "core/logging/metrics/metric_store.hpp"
#include "core/logging/reduction/delayed_rows.hpp"
#include "core/logging/reduction/metric_reducer.hpp"

namespace levin::core {

// Where in the training a row of metrics is placed.
struct LogAxis {
  int64_t epoch = 0;
  int64_t batches_that_stepped = 0;
};

struct LogSettings {
  int64_t log_every_n_steps = 0;  // 0: no step metrics
  bool barebones = false;         // nothing is logged
  bool move_metrics_to_cpu = false;
};

class LoggerConnector {
 public:
  using Warn = std::function<void(const std::string&)>;
  // processes: with which this one trains; nullptr: it is alone. Of several processes all call the functions that are
  // collective, in the same order.
  LoggerConnector(LoggerList& loggers, const LogSettings& settings, ProcessGroup* processes = nullptr, Warn warn = {})
      : loggers_(loggers), settings_(settings), train_(true), eval_(false), warn_(std::move(warn)) {
    if (processes && processes->size() > 1) reducer_.emplace(*processes);
  }

  // A call of log() at this place, into the store of the loop that runs. Throws Error{usage}.
  // ranks: as of MetricStore. step: of a metric with a state that replicas have put together, the value on the step.
  void log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks = {},
           const std::optional<double>& step = std::nullopt);

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

  // Called when the batches of one of several loaders have ended: keeps what they logged last.
  void reach_loader_end() { refresh(); }
  // Called when all batches have ended: keeps what they logged last, and from now on values are those of the epoch,
  // over all processes. Collective.
  void reach_end() {
    refresh();
    active().reach_end();
    agree();
  }
  // From now on what was logged at the end of an epoch or evaluation is the same in all processes, and so is all that
  // callbacks see. Collective.
  void agree();
  // Values of the batch that were logged with sync_dist become those over the processes. Collective. in_any_case: as in
  // MetricReducer.
  void agree_on_step(bool in_any_case = false) {
    if (reducer_ && !settings_.barebones) reducer_->reduce_steps(active(), in_any_case);
  }
  // Before a checkpoint is saved in the course of an epoch. Collective.
  void note_states() {
    if (reducer_ && !settings_.barebones) reducer_->note_states(train_);
  }

  // Whether log_every_n_steps is larger than an epoch of so many batches, so that no step metric reaches the loggers.
  bool outlasts(int64_t batches) const { return !loggers_.empty() && batches < settings_.log_every_n_steps; }
  // Whether the step metrics of this batch are sent to the loggers.
  bool due(int64_t batches_that_stepped, bool stopping) const {
    const int64_t every = settings_.log_every_n_steps;
    return every > 0 && ((batches_that_stepped + 1) % every == 0 || stopping);
  }
  void flush() { loggers_.flush(); }
  // Around what a run repeats that goes on from a checkpoint of this time: its rows are not logged twice.
  void begin_repeated() { loggers_.begin_repeated(); }
  void end_repeated() { loggers_.end_repeated(); }
  // The step of metrics that are logged now, which media and log_now share: of the batch in hand, and after the batches
  // of an epoch that of its last one.
  int64_t step_now(int64_t batches_that_stepped) const {
    return !evaluating_ && train_.at_end() ? batches_that_stepped - 1 : batches_that_stepped;
  }
  // Whether what is logged now may reach loggers: not in a sanity check, and never under trainer.barebones.
  bool reaches_loggers() const { return !sanity_ && !settings_.barebones; }
  void log_train_step(const LogAxis& axis);
  void log_train_epoch(const LogAxis& axis);  // also resets the store; collective
  // batch: its number in its loader. Values with sync_dist reach the loggers at the end of the evaluation.
  void log_eval_step(int64_t step, int64_t batch = 0);
  void log_eval_epoch(const LogAxis& axis);  // collective
  void drop_sanity_metrics();

  // Updates the set from the active store and returns it.
  const OrderedMetrics& metrics(MetricSet set);
  bool metric(MetricSet set, const std::string& name, double& out);
  // What a schedule monitors: that of the first process. Collective.
  std::optional<double> monitored(const std::string& name);

  // Shows callbacks a value that was sent to the loggers without log().
  void publish(const std::string& name, double value) { callback_.set(name, value); }

  // What callbacks see, for resuming, as [name, value] pairs. Values that are not finite are text.
  nlohmann::json state_dict();
  void load_state_dict(const nlohmann::json& state);

 private:
  void refresh();
  void send(const OrderedMetrics& values, const LogAxis* axis, int64_t step);
  OrderedMetrics collect(MetricSet set);
  nlohmann::json callback_pairs() const;
  void warn_of_unreduced(const std::string& name);

  LoggerList& loggers_;
  LogSettings settings_;
  MetricStore train_, eval_;
  Warn warn_;
  std::optional<MetricReducer> reducer_;  // nullopt: this process is alone
  DelayedRows rows_;
  std::set<std::string> warned_of_;
  bool evaluating_ = false, sanity_ = false;
  OrderedMetrics callback_, logged_, progress_, results_;  // results_ are those of the evaluation that ended last
};

}  // namespace levin::core
