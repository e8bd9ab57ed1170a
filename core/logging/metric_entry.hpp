// One metric that was logged at one place and for one loader: how, under which names, and what came in so far.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/components/log_origin.hpp"
#include "core/logging/metric_accumulator.hpp"

namespace levin::core {

struct MetricEntry {
  // ---- how it was logged
  LogOrigin origin{};
  levin_log first{};  // the arguments of the first call; do not follow its pointers, they may be invalid
  int64_t dataloader_idx = -1;
  std::string name;
  LogWhen when{};
  bool prog_bar = false, logger = true, add_dataloader_idx = true;
  bool sync_dist = false, rank_zero_only = false;
  std::vector<int> ranks;  // with sync_dist, or of a metric with a state: over which processes; empty: all
  Reduce reduce = Reduce::mean;
  std::string plain, step, epoch;  // the names under which the value appears
  void set_names();
  bool is_over(int rank) const { return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

  // ---- what came in
  MetricAccumulator value;
  const levin_metric* metric = nullptr;  // a metric with a state, which has the value
  void* metric_self = nullptr;
  std::vector<StateBag> saved;  // the metric's state from a checkpoint, until the metric is logged again; of several
                                // processes where this one goes on with what they had
  bool fresh = false;           // logged since the last reset, here or by another process
  bool has_part() const;        // whether this process has a part in the value of the epoch
  // The metric's values of the epoch and of the batch, computed at most once between two updates.
  mutable std::optional<double> computed, computed_step;
  void changed();                             // something came in
  void forget();                              // of a new epoch or evaluation nothing came in yet
  std::optional<double> step_value() const;   // of the last batch; nullopt: the metric cannot say
  std::optional<double> epoch_value() const;  // of the epoch so far

  // ---- what it is over all processes of the run, once they have put it together
  std::optional<double> agreed, agreed_step;
  bool epoch_due = false, step_due = false;  // something came in since
  bool is_whole = false;                     // the metric's state is that of all processes
  // Of a metric with a state, what it was over all processes when a checkpoint was saved: its value, where a run goes
  // on from there and no process logs the metric again before the epoch ends.
  std::optional<double> known;

  // ---- as others get it
  nlohmann::json how() const;  // a few bytes
  static MetricEntry of(const nlohmann::json& how);
  nlohmann::json state_dict() const;  // for checkpoints
  static MetricEntry from_state(const nlohmann::json& state);
  // Takes what another process had, which this one goes on with. Of values that are not reduced it has its own.
  void take_over(const MetricEntry& other, const StateBag& state);
  StateBag metric_state() const;          // `saved` where the metric was not logged again; throws Error{run}
  bool shares_state() const;              // whether the metric can give its state to others, and take theirs
  void add_state(const StateBag&) const;  // throws Error{checkpoint}
  void restore(const levin_metric& logged, void* self);  // gives a metric that is logged again its saved state

 private:
  std::optional<double> compute() const;
  std::optional<double> compute_step() const;
  nlohmann::json value_as_state() const;
};

}  // namespace levin::core
