// Reduces values logged in a batch with on_step and sync_dist. The processes agree on a slot for each of these metrics,
// so a batch costs one all-reduce of a few numbers, whatever the metrics' reductions are.
#pragma once
#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/logging/metrics/metric_store.hpp"

namespace levin::core {

class StepReduction {
 public:
  explicit StepReduction(ProcessGroup& group) : group_(group) {}
  // Collective. logs_steps: this process logs on the step with sync_dist. Returns true if any process does.
  bool reduce(MetricStore& store, bool logs_steps);

 private:
  struct Slot {
    MetricMeta meta;             // as logged by the first process that announced it
    std::optional<Reduce> here;  // the reduction that this process announced
    MetricEntry* entry;          // this process's value of this batch; nullptr = none
    double value;
  };

  bool fill_slots(MetricStore& store);
  Slot* find(const MetricMeta& meta);
  void announce(const MetricStore& store);
  void add_slot(const MetricMeta& meta, bool own);
  void all_reduce_rows(int64_t flags);
  bool any_row(int64_t flag) const;
  void take(MetricStore& store);
  double joined(const Slot& slot, const MetricMeta& meta, size_t column);

  ProcessGroup& group_;
  std::vector<Slot> slots_;  // the same metrics in the same order in all processes
  size_t cursor_ = 0;        // expected slot of the next entry
  at::Tensor rows_;          // int64, one row per process: its flags, then the kind and the bits of each slot's value
  std::vector<MetricAccumulator::Part> parts_;
};

}  // namespace levin::core
