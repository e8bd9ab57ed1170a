// A metric with a state (levin_metric), which the plugin that logged it owns.
#pragma once
#include <optional>
#include <string>

#include "core/abi/state_bag.hpp"

namespace levin::core {

struct StatefulMetric {
  const levin_metric* table = nullptr;  // nullptr: none
  void* self = nullptr;

  explicit operator bool() const { return table != nullptr; }
  bool operator==(const StatefulMetric& other) const { return table == other.table && self == other.self; }
  std::optional<double> compute() const;       // of what came in so far; nullopt: the metric cannot say
  std::optional<double> compute_step() const;  // of the last batch; of everything if the metric has no such call
  bool shares_state() const;                   // whether it can give its state to other processes, and take theirs
  void reset() const;
  // Throws Error{run} with the name that it was logged under.
  StateBag state(const std::string& name) const;
  // Adds a state that state() gave to what the metric has. Throws Error{checkpoint}.
  void add(const StateBag& state, const std::string& name) const;
};

}  // namespace levin::core
