// One metric that was logged at one place and for one loader: how it was logged, what came in so far, and what the
// processes have reduced it to.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/logging/metrics/metric_accumulator.hpp"
#include "core/logging/metrics/metric_meta.hpp"
#include "core/logging/metrics/stateful_metric.hpp"

namespace levin::core {

// What this process has of a metric.
struct LoggedValue {
  MetricAccumulator numbers;
  StatefulMetric metric;        // if there is one, it has the value
  std::vector<StateBag> saved;  // its states from a checkpoint, until the metric is logged again; several where this
                                // process goes on with those of others
  bool fresh = false;           // logged since the last reset, here or by another process
  bool empty() const { return !metric && saved.empty() && numbers.empty(); }  // nothing of the epoch came in
};

// The value over all processes of the run. A new value that comes in makes it unknown.
struct ReducedValue {
  std::optional<double> epoch, step;
  bool epoch_due = false, step_due = false;  // something came in that is not reduced yet
  bool is_whole = false;                     // the metric's state is that of all processes
  // Of a metric with a state, its value over all processes when a checkpoint was saved. It stands for the value of the
  // epoch in a resumed run where no process logs the metric again before the epoch ends.
  std::optional<double> restored;
};

class MetricEntry {
 public:
  MetricMeta meta;
  LoggedValue logged;
  ReducedValue reduced;
  levin_log first{};  // the arguments of the first call; do not follow its pointers, they may be invalid

  void changed();                                                     // something came in
  bool has_part() const { return reduced.epoch || !logged.empty(); }  // this process has a part in the epoch's value
  void forget();                                                      // a new epoch or evaluation begins
  std::optional<double> step_value() const;      // of the last batch; nullopt: the metric cannot say
  std::optional<double> epoch_value() const;     // of the epoch so far
  void forget_computed() { computed_.reset(); }  // the state of the metric has changed

  nlohmann::json state_dict() const;  // for checkpoints
  static MetricEntry from_state(const nlohmann::json& state);
  // Takes what another process had, which this one goes on with. Of values that are not reduced it has its own.
  void take_over(const MetricEntry& other, const StateBag& state);
  StateBag metric_state() const;  // `saved` where the metric was not logged again; throws Error{run}
  void add_state(const StateBag& state) const { logged.metric.add(state, meta.name); }
  void restore(const StatefulMetric& metric);  // gives a metric that is logged again its saved states

 private:
  std::optional<double> compute() const;
  std::optional<double> compute_step() const;
  nlohmann::json value_as_state() const;

  // The metric's values of the epoch and of the batch, computed at most once between two updates.
  mutable std::optional<double> computed_, computed_step_;
};

}  // namespace levin::core
