// From logged values to what callbacks, loggers and the progress bar see, and when.
#pragma once
#include <nlohmann/json.hpp>

#include "core/logging/logger_list.hpp"
#include "core/logging/metric_store.hpp"

namespace levin::core {

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
  LoggerConnector(LoggerList& loggers, const LogSettings& settings)
      : loggers_(loggers), settings_(settings), train_(true), eval_(false) {}

  // A call of log() at this place, into the store of the loop that runs. Throws Error{usage}.
  void log(LogOrigin origin, const levin_log& arguments);

  MetricStore& train() { return train_; }
  MetricStore& eval() { return eval_; }
  MetricStore& active() { return evaluating_ ? eval_ : train_; }
  void set_evaluating(bool on, bool sanity) {
    if (!sanity) refresh();
    evaluating_ = on;
    sanity_ = on && sanity;
  }
  bool evaluating() const { return evaluating_; }

  // The batches of one of several loaders have ended: what they logged last is kept.
  void reach_loader_end() { refresh(); }
  // The batches have ended: what they logged last is kept, and from now on values are those of the epoch.
  void reach_end() {
    refresh();
    active().reach_end();
  }

  // Whether an epoch of so many batches is too short for any step to reach the loggers.
  bool outlasts(int64_t batches) const { return !loggers_.empty() && batches < settings_.log_every_n_steps; }
  // Whether the step metrics of this batch go to the loggers.
  bool due(int64_t batches_that_stepped, bool stopping) const {
    const int64_t every = settings_.log_every_n_steps;
    return every > 0 && ((batches_that_stepped + 1) % every == 0 || stopping);
  }
  void flush() { loggers_.flush(); }
  void log_train_step(const LogAxis& axis);
  void log_train_epoch(const LogAxis& axis);  // and resets the store
  void log_eval_step(int64_t step);
  void log_eval_epoch(const LogAxis& axis);
  void drop_sanity_metrics();

  // Brought up to date from the active store, then read.
  const OrderedMetrics& metrics(MetricSet set);
  bool metric(MetricSet set, const std::string& name, double& out);

  // A value that went to the loggers past log(): callbacks see it too.
  void publish(const std::string& name, double value) { callback_.set(name, value); }

  // What callbacks see, for resuming: [name, value] pairs; what is not finite is text.
  nlohmann::json state_dict();
  void load_state_dict(const nlohmann::json& state);

 private:
  void refresh();
  void send(const OrderedMetrics& values, const LogAxis* axis, int64_t step);
  OrderedMetrics collect(MetricSet set);

  LoggerList& loggers_;
  LogSettings settings_;
  MetricStore train_, eval_;
  bool evaluating_ = false, sanity_ = false;
  OrderedMetrics callback_, logged_, progress_, results_;  // results: of the evaluation that ended last
};

}  // namespace levin::core
