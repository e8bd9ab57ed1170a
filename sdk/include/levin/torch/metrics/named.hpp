// Metrics by name, for models that select metrics by an option:
//
//   static constexpr levin_option options[] = {levin::metrics::option};
//   levin::metrics::MetricSet metrics{args.text("metrics"), {data().classes()}};
//   void validation_step(const levin::Batch& batch) {
//     metrics.update("val_", 0, forward(batch.input()), batch.target(),
//                    [&](const char* name, levin::metrics::Metric& metric) { levin::metrics::log(*this, name, metric);
//                    });
//   }
#pragma once
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "levin/options.hpp"
#include "levin/torch/metrics/named/classification.hpp"
#include "levin/torch/metrics/named/clustering.hpp"
#include "levin/torch/metrics/named/images.hpp"
#include "levin/torch/metrics/named/regression.hpp"
#include "levin/torch/metrics/named/retrieval.hpp"
#include "levin/torch/metrics/named/segmentation.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

inline constexpr levin_option option = text(
    "metrics", "\"\"", "further metrics of validation and test, such as f1:macro,auroc; host help metrics lists them");

// Returns the metric of a choice that chosen_metrics has read: of classes if inputs.classes > 0, else of numbers.
// Throws Error for arguments that the metric cannot have.
inline NamedMetric named_metric(const MetricChoice& choice, const MetricInputs& inputs) {
  using Make = NamedMetric (*)(const MetricChoice&, const MetricInputs&);
  struct Row {
    const char* name;
    Make make;
  };
#define LEVIN_METRIC_MAKE(name, arguments, summary) {#name, named::make<named::name>},
  static constexpr Row of_classes[] = {LEVIN_CLASSIFICATION_METRICS(LEVIN_METRIC_MAKE) LEVIN_CLUSTERING_METRICS(
      LEVIN_METRIC_MAKE) LEVIN_RETRIEVAL_METRICS(LEVIN_METRIC_MAKE) LEVIN_SEGMENTATION_METRICS(LEVIN_METRIC_MAKE)};
  static constexpr Row of_numbers[] = {LEVIN_REGRESSION_METRICS(LEVIN_METRIC_MAKE)
                                           LEVIN_IMAGE_METRICS(LEVIN_METRIC_MAKE)};
#undef LEVIN_METRIC_MAKE
  const bool classes = inputs.classes > 0;
  const Row *begin = classes ? std::begin(of_classes) : std::begin(of_numbers),
            *end = classes ? std::end(of_classes) : std::end(of_numbers);
  const Row* row = std::find_if(begin, end, [&](const Row& each) { return choice.name == each.name; });
  if (row == end) throw Error(LEVIN_E_INVALID, "metric '" + choice.name + "' is of other targets");
  return row->make(choice, inputs);
}

// A set of metrics per stage and loader, with names such as val_f1_macro.
class MetricSet {
 public:
  // Throws Error for metrics that do not exist or cannot have these arguments.
  MetricSet(const std::string& list, MetricInputs inputs)
      : choices_(chosen_metrics(list, inputs.classes > 0)), inputs_(inputs) {
    made();  // throws here instead of in validation
  }
  // Updates the metrics of this prefix ("val_") and loader, and calls log(name, metric) for each metric. Scores [N, C]
  // or [N, C, ...] and targets [N] or [N, ...] of classification; predictions and targets of one size of regression.
  template <class Log>
  void update(const std::string& prefix, int64_t loader, const at::Tensor& prediction, const at::Tensor& target,
              Log&& log) {
    if (choices_.empty()) return;
    std::vector<NamedMetric>& metrics = sets_[prefix + std::to_string(loader)];
    if (metrics.empty()) metrics = made();
    for (NamedMetric& named : metrics) {
      named.update(prediction, target);
      log((prefix + named.name).c_str(), *named.metric);
    }
  }

 private:
  std::vector<NamedMetric> made() const {
    std::vector<NamedMetric> out;
    for (const MetricChoice& choice : choices_) out.push_back(named_metric(choice, inputs_));
    return out;
  }
  std::vector<MetricChoice> choices_;
  MetricInputs inputs_;
  std::map<std::string, std::vector<NamedMetric>> sets_;
};

}  // namespace levin::metrics
#pragma GCC visibility pop
