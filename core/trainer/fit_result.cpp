#include "core/trainer/fit_result.hpp"

#include <nlohmann/json.hpp>

#include "core/config/run_config.hpp"
#include "levin/terminal.hpp"
#include "levin/text.hpp"

namespace levin::core {
namespace {

std::string score_text(const RunFolder& folder, const nlohmann::json& config) {
  const std::optional<double> score = folder.best_score();
  if (!score) return "";
  const std::optional<BestMonitor> monitor = best_monitor(config);
  return " (" + (monitor && !monitor->metric.empty() ? monitor->metric : "score") + " " + metric_text(*score) + ")";
}

}  // namespace

std::vector<std::string> fit_result(const RunFolder& folder, const nlohmann::json& config, bool tests) {
  const auto best = folder.announced("best"), file = best ? best : folder.announced("last");
  if (!file) return {};
  const std::string path = path_from_here(*file);
  return {(best ? "best checkpoint: " + path + score_text(folder, config) : "last checkpoint: " + path),
          tests ? "test it with: host test --ckpt_path " + path
                : "export its weights with: host export " + path_from_here(folder.path()) + " --format safetensors"};
}

}  // namespace levin::core
