// The metric that decides which checkpoint of a run is the best.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace levin::core {

struct BestMonitor {
  std::string metric;
  bool larger_is_better = false;
};

// config: the content of a run's config.json. Returns the metric that the callback with the options save_top_k and
// monitor uses, or nullopt if there is no such callback.
std::optional<BestMonitor> best_monitor(const nlohmann::json& config);

}  // namespace levin::core
