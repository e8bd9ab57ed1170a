// The metrics of a list, for each stage and loader, with names such as val_f1_macro.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "levin/options.hpp"
#include "levin/torch/metrics/named/metric_of.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

inline constexpr levin_option option = text(
    "metrics", "\"\"", "further metrics of validation and test, such as f1:macro,auroc; host help metrics lists them");

namespace named {

template <class Named>
class MetricSets {
 public:
  using Make = std::function<Named(const MetricChoice&)>;
  // Throws Error for metrics that cannot have these arguments.
  MetricSets(std::vector<MetricChoice> choices, Make make) : choices_(std::move(choices)), make_(std::move(make)) {
    made();  // throws here instead of in validation
  }
  // Updates the metrics of this prefix ("val_") and loader, and calls log(name, metric) for each metric.
  template <class Predictions, class Targets, class Log>
  void update(const std::string& prefix, int64_t loader, const Predictions& predictions, const Targets& targets,
              Log&& log) {
    if (choices_.empty()) return;
    std::vector<Named>& metrics = sets_[prefix + std::to_string(loader)];
    if (metrics.empty()) metrics = made();
    for (Named& each : metrics) {
      each.update(predictions, targets);
      log((prefix + each.name).c_str(), *each.metric);
    }
  }

 private:
  std::vector<Named> made() const {
    std::vector<Named> out;
    for (const MetricChoice& choice : choices_) out.push_back(make_(choice));
    return out;
  }
  std::vector<MetricChoice> choices_;
  Make make_;
  std::map<std::string, std::vector<Named>> sets_;
};

}  // namespace named
}  // namespace levin::metrics
#pragma GCC visibility pop
