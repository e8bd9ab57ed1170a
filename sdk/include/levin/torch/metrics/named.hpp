// Metrics of classification by name, for models that select metrics by an option.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/classification.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

struct NamedMetric {
  std::string name;
  std::shared_ptr<Metric> metric;
  std::function<void(const at::Tensor& scores, const at::Tensor& target)> update;  // [N, C], [N]
};

namespace detail_of {
template <class M, class... A>
NamedMetric named(const std::string& name, A&&... arguments) {
  auto metric = std::make_shared<M>(std::forward<A>(arguments)...);
  return {name, metric,
          [m = metric.get()](const at::Tensor& scores, const at::Tensor& target) { m->update(scores, target); }};
}
}  // namespace detail_of

// Returns the metric with this name: accuracy, macro_accuracy, precision, recall and f1 (these three with
// Average::macro), top5, auroc. Throws Error for other names.
inline NamedMetric classification_metric(const std::string& name, int64_t classes) {
  const ClassificationOptions macro{classes, Average::macro};
  const ClassificationOptions top5{classes, Average::micro, std::min<int64_t>(5, classes)};
  if (name == "accuracy") return detail_of::named<Accuracy>(name, classes);
  if (name == "macro_accuracy") return detail_of::named<Accuracy>(name, macro);
  if (name == "precision") return detail_of::named<Precision>(name, macro);
  if (name == "recall") return detail_of::named<Recall>(name, macro);
  if (name == "f1") return detail_of::named<F1Score>(name, macro);
  if (name == "top5") return detail_of::named<Accuracy>(name, top5);
  if (name == "auroc") return detail_of::named<AUROC>(name, classes);
  throw Error(LEVIN_E_INVALID,
              "there is no metric '" + name + "'; valid: accuracy, macro_accuracy, precision, recall, f1, top5, auroc");
}

// Returns the names of a list such as "f1, auroc".
inline std::vector<std::string> metric_names(const std::string& list) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : list + ",") {
    if (c != ',' && c != ' ') {
      name += c;
    } else if (!name.empty()) {
      names.push_back(name);
      name.clear();
    }
  }
  return names;
}

// A set of metrics per stage and loader, with names such as val_f1.
class MetricSet {
 public:
  MetricSet(const std::string& list, int64_t classes) : names_(metric_names(list)), classes_(classes) {
    for (const std::string& name : names_)
      classification_metric(name, classes_);  // throws here instead of in validation
  }
  // Updates the metrics of this prefix ("val_") and loader with scores [N, C] and targets [N], and calls
  // log(name, metric) for each metric.
  template <class Log>
  void update(const std::string& prefix, int64_t loader, const at::Tensor& scores, const at::Tensor& target,
              Log&& log) {
    if (names_.empty()) return;
    auto& metrics = sets_[prefix + std::to_string(loader)];
    if (metrics.empty())
      for (const std::string& name : names_) metrics.push_back(classification_metric(name, classes_));
    for (NamedMetric& named : metrics) {
      named.update(scores, target);
      log((prefix + named.name).c_str(), *named.metric);
    }
  }

 private:
  std::vector<std::string> names_;
  int64_t classes_;
  std::map<std::string, std::vector<NamedMetric>> sets_;
};

}  // namespace levin::metrics
#pragma GCC visibility pop
