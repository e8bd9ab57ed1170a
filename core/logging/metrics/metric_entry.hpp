// One metric, logged at one place and for one loader: how it was logged, its values so far, and their reduction over
// the processes.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/components/log_origin.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/logging/metrics/metric_accumulator.hpp"
#include "core/logging/metrics/stateful_metric.hpp"

namespace levin::core {

// How a metric was logged at one place and for one loader (the metadata of Lightning's results).
struct MetricMeta {
  LogOrigin origin{};
  int64_t dataloader_idx = -1;
  std::string name;
  LogWhen when{};
  bool prog_bar = false, logger = true, add_dataloader_idx = true;
  bool sync_dist = false, rank_zero_only = false;
  std::vector<int> ranks;  // ranks over which the value is reduced; empty = all
  Reduce reduce = Reduce::mean;
  std::string plain, step, epoch;  // the names under which the value appears

  void set_names();  // derives these names from the members before them
  bool is_over(int rank) const;
  // Returns true if both describe one metric: the same name, logged at the same place and for the same loader.
  bool is_same_metric(const MetricMeta& other) const;

  nlohmann::json state_dict() const;
  static MetricMeta from_state(const nlohmann::json& state);  // throws nlohmann::json::exception
};

// This process's part of a metric.
struct LoggedValue {
  MetricAccumulator numbers;
  StatefulMetric metric;        // if set, it holds the value
  std::vector<StateBag> saved;  // the metric's states from a checkpoint, until it is logged again; several if this
                                // process takes over other processes' states
  bool fresh = false;           // logged since the last reset, here or by another process
  bool empty() const { return !metric && saved.empty() && numbers.empty(); }  // no values in this epoch
};

// The value over all processes of the run. A newly logged value resets it.
struct ReducedValue {
  std::optional<double> epoch, step;
  bool epoch_due = false, step_due = false;  // there are values not reduced yet
  bool is_whole = false;                     // the metric's state is that of all processes
  // For a metric with a state: its value over all processes when the checkpoint was saved. Used as the epoch's value if
  // no process logs the metric again before the resumed epoch ends.
  std::optional<double> restored;
};

class MetricEntry {
 public:
  MetricMeta meta;
  LoggedValue logged;
  ReducedValue reduced;
  levin_log first{};  // the arguments of the first call; do not dereference its pointers, they may be invalid

  void changed();                                                     // call after a value is added
  bool has_part() const { return reduced.epoch || !logged.empty(); }  // this process has a part of the epoch's value
  void forget();                                                      // call when a new epoch or evaluation begins
  std::optional<double> step_value() const;      // of the last batch; nullopt = the metric has none
  std::optional<double> epoch_value() const;     // of the epoch so far
  void forget_computed() { computed_.reset(); }  // call after the metric's state has changed

  nlohmann::json state_dict() const;  // for checkpoints
  static MetricEntry from_state(const nlohmann::json& state);
  // Adds another process's values, which this process takes over. A value logged without sync_dist stays this process's
  // own.
  void take_over(const MetricEntry& other, const StateBag& state);
  StateBag metric_state() const;  // the saved states if the metric was not logged again; throws Error{run}
  void add_state(const StateBag& state) const { logged.metric.add(state, meta.name); }
  void restore(const StatefulMetric& metric);  // loads the saved states into a metric that is logged again

 private:
  std::optional<double> compute() const;
  std::optional<double> compute_step() const;
  nlohmann::json value_as_state() const;

  // The metric's values of the epoch and of the batch, computed at most once between two updates.
  mutable std::optional<double> computed_, computed_step_;
};

}  // namespace levin::core
