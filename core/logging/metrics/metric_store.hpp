// All values logged in one loop, with Lightning's rules for names and values.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/logging/metrics/metric_entry.hpp"

namespace levin::core {

enum class MetricSet { callback, logged, progress, results };

// While an epoch's calls come in the same order as in the previous epoch, logging neither allocates nor searches names.
class MetricStore {
 public:
  // training: step values reach callbacks too.
  explicit MetricStore(bool training) : training_(training) {}

  void reset();  // starts a new epoch or evaluation
  void set_batch(int64_t rows,
                 int64_t dataloader_idx);          // dataloader_idx: -1 = a single loader; names then have no suffix
  void reach_end() { at_end_ = changed_ = true; }  // values are those of the epoch from now on
  bool at_end() const { return at_end_; }
  // Returns true if values were logged, or became those of the epoch, since the last call.
  bool take_changed() { return std::exchange(changed_, false); }
  // ranks: the ranks to reduce over with sync_dist; empty = all. Throws Error{usage}. Returns the entry, which is valid
  // as long as the store.
  MetricEntry& log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks = {});
  using Sink = std::function<void(const std::string& name, double value)>;
  // The values logged since the last reset, for resuming within an epoch. Values that are not finite are text.
  // Synchronizes the device.
  nlohmann::json state_dict() const;
  // The state of each metric, in the order of state_dict(); empty for metrics without a state.
  std::vector<StateBag> metric_states() const;
  // A metric gets its state back when it is first logged again.
  void load_state_dict(const nlohmann::json& state, std::vector<StateBag> metric_states);
  // Adds the values of another process, which this process takes over. Call after load_state_dict().
  void take_over(const nlohmann::json& state, std::vector<StateBag> metric_states);
  void visit(MetricSet set, const Sink& sink) const;
  // Visits the values of this loader that are sent to loggers: the result of one loader of an evaluation.
  void visit_loader(int64_t dataloader_idx, const Sink& sink) const;

  // ---- Several processes
  const std::vector<std::unique_ptr<MetricEntry>>& entries() const { return entries_; }
  // Returns the entry of a metric that another process has logged; adds one if this process has not logged it.
  MetricEntry& entry_of(const MetricMeta& meta);
  // Returns nullptr if this process has not logged the metric. Does not mark values as changed.
  MetricEntry* known_entry(const MetricMeta& meta);
  void set_changed() { changed_ = true; }
  // Passes on the step values to be reduced that were logged since the last call.
  void take_synced_steps(const std::function<void(const MetricEntry& entry, double value)>& sink);
  // Returns true if a value of this name was logged without sync_dist, so that each process has its own.
  bool is_unreduced(const std::string& name) const;

 private:
  MetricEntry& find(LogOrigin origin, const levin_log& arguments);
  MetricEntry& add(LogOrigin origin, const levin_log& arguments);
  void update(MetricEntry& entry, const levin_log& arguments) const;
  static void check_same(MetricEntry& entry, const levin_log& arguments);
  void check_no_other_loader(const MetricMeta& meta) const;
  void check_metric_of_one_loader(const MetricMeta& meta, const levin_log& arguments) const;
  [[noreturn]] static void throw_twice(const MetricMeta& meta);
  bool value_of(const MetricEntry& entry, double& out) const;

  bool training_, at_end_ = false, changed_ = false;
  int64_t rows_ = 1, dataloader_idx_ = -1;
  size_t cursor_ = 0;
  std::vector<std::unique_ptr<MetricEntry>> entries_;
};

}  // namespace levin::core
