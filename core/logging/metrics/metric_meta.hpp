// How a metric was logged at one place and for one loader (the metadata of Lightning's results).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/components/log_origin.hpp"
#include "core/logging/metrics/log_rules.hpp"

namespace levin::core {

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

}  // namespace levin::core
