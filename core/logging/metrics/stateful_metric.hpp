// A metric with a state (levin_metric), which the plugin that logged it owns.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"

namespace levin::core {

struct StatefulMetric {
  const levin_metric* table = nullptr;  // nullptr = none
  void* self = nullptr;

  explicit operator bool() const { return table != nullptr; }
  bool operator==(const StatefulMetric& other) const { return table == other.table && self == other.self; }
  std::optional<double> compute() const;  // value of everything so far; nullopt = the metric has none
  std::optional<double> compute_step()
      const;                  // value of the last batch, or of everything if the metric has no such call
  bool shares_state() const;  // it can save its state, and add states of other processes
  void reset() const;
  // Throws Error{run}, which gives `name`, the name that the metric was logged under.
  StateBag state(const std::string& name) const;
  // Adds a state saved by state() to the metric. Throws Error{checkpoint}.
  void add(const StateBag& state, const std::string& name) const;
};

// Merges the states of one metric from several processes into one bag. A run with fewer processes holds several states
// until the metric is logged again and loads them.
StateBag put_together(const std::vector<StateBag>& states);
std::vector<StateBag> taken_apart(const StateBag& bag);  // empty for an empty bag

}  // namespace levin::core
