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

// config: of a run, as its config.json has it. Returns what the callback that keeps so many of the best checkpoints
// monitors; nullopt if there is none.
std::optional<BestMonitor> best_monitor(const nlohmann::json& config);

}  // namespace levin::core
