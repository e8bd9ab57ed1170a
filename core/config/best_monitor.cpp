#include "core/config/best_monitor.hpp"

#include <nlohmann/json.hpp>

namespace levin::core {

using nlohmann::json;

std::optional<BestMonitor> best_monitor(const json& config) {
  for (const json& callback : config.value("callbacks", json::array())) {
    const json options = callback.value("options", json::object());
    if (!options.contains("save_top_k") || !options.contains("monitor") || !options["monitor"].is_string()) continue;
    return BestMonitor{options["monitor"], options.value("mode", json("min")) == "max"};
  }
  return std::nullopt;
}

}  // namespace levin::core
