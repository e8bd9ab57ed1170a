#include "core/trainer/fit_result.hpp"

#include <cmath>

#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::core {
namespace {

std::string score_text(const Announcement& best) {
  if (std::isnan(best.score)) return "";
  return " (" + (best.monitor.empty() ? "score" : best.monitor) + " " + metric_text(best.score) + ")";
}

}  // namespace

std::vector<std::string> fit_result(const RunFolder& folder, bool tests) {
  const auto best = folder.announced("best"), file = best ? best : folder.announced("last");
  if (!file) return {};
  const std::string path = path_from_here(*file);
  return {(best ? "best checkpoint: " + path + score_text(folder.best()) : "last checkpoint: " + path),
          tests ? "test it with: host test --ckpt_path " + path
                : "export its weights with: host export " + path_from_here(folder.path()) + " --format safetensors"};
}

}  // namespace levin::core
