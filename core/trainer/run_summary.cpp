#include "core/trainer/run_summary.hpp"

#include <cmath>
#include <utility>

#include "core/base/text.hpp"
#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::core {
namespace {

constexpr size_t most_metrics = 8;

std::string counted(int64_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string with_metrics(const OrderedMetrics& metrics) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : metrics.items()) texts.push_back(name + " " + metric_text(value));
  return texts.empty() ? "" : ", " + join_some(texts, most_metrics);
}

std::string score_text(const Announcement& best) {
  if (std::isnan(best.score)) return "";
  return " (" + (best.monitor.empty() ? "score" : best.monitor) + " " + metric_text(best.score) + ")";
}

}  // namespace

void RunSummary::begin(const RunProgress& progress) {
  start_ = Clock::now();
  first_epoch_ = progress.epochs_processed();
  first_step_ = progress.global_step();
}

void RunSummary::trained(const RunProgress& progress, const OrderedMetrics& metrics) {
  did("trained " + counted(progress.epochs_processed() - first_epoch_, "epoch") + " (" +
          counted(progress.global_step() - first_step_, "step") + ")",
      metrics);
}

void RunSummary::did(const std::string& what, const OrderedMetrics& metrics) {
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  parts_.push_back(what + " in " + clock_text(seconds.count()) + with_metrics(metrics));
}

std::string RunSummary::take_line(const std::string& what) {
  const std::vector<std::string> parts = std::exchange(parts_, {});
  return parts.empty() ? "" : what + ": " + join(parts, "; ");
}

std::vector<std::string> fit_result(const RunFolder& folder, bool tests) {
  const auto best = folder.announced("best"), file = best ? best : folder.announced("last");
  if (!file) return {};
  const std::string path = path_from_here(*file);
  return {(best ? "best checkpoint: " + path + score_text(folder.best()) : "last checkpoint: " + path),
          tests ? "test it with: host test --ckpt_path " + path
                : "export its weights with: host export " + path_from_here(folder.path()) + " --format safetensors"};
}

}  // namespace levin::core
