// Everything that was logged in one loop, with Lightning's rules for names and values.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/components/log_origin.hpp"
#include "core/logging/metric_accumulator.hpp"

namespace levin::core {

enum class MetricSet { callback, logged, progress, results };

// While the calls of an epoch come in the same order as in the epoch before, logging allocates nothing and searches no
// names.
class MetricStore {
 public:
  // In the store of training, step values reach callbacks too.
  explicit MetricStore(bool training) : training_(training) {}

  void reset();                                          // starts a new epoch or evaluation
  void set_batch(int64_t rows, int64_t dataloader_idx);  // dataloader_idx is -1 if there is one loader; then names have
                                                         // no suffix
  void reach_end() { at_end_ = changed_ = true; }        // from now on values are those of the epoch
  bool at_end() const { return at_end_; }
  // Whether values were logged, or became those of the epoch, since the last call.
  bool take_changed() { return std::exchange(changed_, false); }
  void log(LogOrigin origin, const levin_log& arguments);  // throws Error{usage}
  using Sink = std::function<void(const std::string& name, double value)>;
  // What was logged since the last reset, for resuming within an epoch. Values that are not finite are text. Waits for
  // the device.
  nlohmann::json state_dict() const;
  // The state of each metric, in the order of state_dict(); empty for metrics without a state.
  std::vector<StateBag> metric_states() const;
  // A metric gets its state back when it is logged for the first time.
  void load_state_dict(const nlohmann::json& state, std::vector<StateBag> metric_states);
  void visit(MetricSet set, const Sink& sink) const;
  // Visits what was logged for this loader and is sent to loggers: the result of one loader of an evaluation.
  void visit_loader(int64_t dataloader_idx, const Sink& sink) const;

 private:
  struct Entry {
    LogOrigin origin;
    levin_log first;  // the arguments of the first call; do not follow its pointers, they may be invalid
    int64_t dataloader_idx;
    std::string name;
    LogWhen when;
    bool prog_bar, logger, add_dataloader_idx;
    Reduce reduce;
    const levin_metric* metric;
    void* metric_self;
    std::string plain, step, epoch;  // the names under which the value appears
    MetricAccumulator value;
    StateBag saved;  // the metric's state from a checkpoint, until the metric is logged again
    // The metric's values of the epoch and of the batch, computed at most once between two updates.
    mutable std::optional<double> computed, computed_step;
    bool fresh = false;  // logged since the last reset
  };
  Entry& find(LogOrigin origin, const levin_log& arguments);
  Entry& add(LogOrigin origin, const levin_log& arguments);
  void check_same(Entry& entry, const levin_log& arguments) const;
  static void set_names(Entry& entry);
  void check_no_other_loader(const Entry& entry) const;
  void check_metric_of_one_loader(const Entry& entry, const levin_log& arguments) const;
  [[noreturn]] static void throw_twice(const Entry& entry);
  bool value_of(const Entry& entry, double& out) const;
  static std::optional<double> compute(const Entry& entry);  // the metric's value of the epoch so far
  static std::optional<double> compute_step(const Entry& entry);
  static void forget_computed(const Entry& entry);
  nlohmann::json value_as_state(const Entry& entry) const;
  static void restore_metric(Entry& entry, const levin_log& arguments);

  bool training_, at_end_ = false, changed_ = false;
  int64_t rows_ = 1, dataloader_idx_ = -1;
  size_t cursor_ = 0;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace levin::core
