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
#include <string>
#include <vector>

#include "levin/torch/metrics/named/classification.hpp"
#include "levin/torch/metrics/named/clustering.hpp"
#include "levin/torch/metrics/named/images.hpp"
#include "levin/torch/metrics/named/metric_sets.hpp"
#include "levin/torch/metrics/named/multilabel.hpp"
#include "levin/torch/metrics/named/regression.hpp"
#include "levin/torch/metrics/named/retrieval.hpp"
#include "levin/torch/metrics/named/segmentation.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// Returns the metric of a choice that chosen_metrics has read for these inputs. Throws Error for arguments that the
// metric cannot have.
inline NamedMetric named_metric(const MetricChoice& choice, const MetricInputs& inputs) {
  using Make = NamedMetric (*)(const MetricChoice&, const MetricInputs&);
  struct Row {
    const char* name;
    Make make;
  };
#define LEVIN_METRIC_MAKE(name, arguments, summary) {#name, named::make<named::name>},
#define LEVIN_METRIC_MAKE_OF_LABELS(name, arguments, summary) {#name, named::make<named::multilabel::name>},
  static constexpr Row of_classes[] = {LEVIN_CLASSIFICATION_METRICS(LEVIN_METRIC_MAKE) LEVIN_CLUSTERING_METRICS(
      LEVIN_METRIC_MAKE) LEVIN_RETRIEVAL_METRICS(LEVIN_METRIC_MAKE) LEVIN_SEGMENTATION_METRICS(LEVIN_METRIC_MAKE)};
  static constexpr Row of_labels[] = {LEVIN_MULTILABEL_METRICS(LEVIN_METRIC_MAKE_OF_LABELS)
                                          LEVIN_LABEL_RETRIEVAL_METRICS(LEVIN_METRIC_MAKE_OF_LABELS)};
  static constexpr Row of_numbers[] = {LEVIN_REGRESSION_METRICS(LEVIN_METRIC_MAKE)
                                           LEVIN_IMAGE_METRICS(LEVIN_METRIC_MAKE)};
#undef LEVIN_METRIC_MAKE
#undef LEVIN_METRIC_MAKE_OF_LABELS
  const auto made = [&](const Row* begin, const Row* end) {
    const Row* row = std::find_if(begin, end, [&](const Row& each) { return choice.name == each.name; });
    if (row == end) throw Error(LEVIN_E_INVALID, "metric '" + choice.name + "' is of other targets");
    return row->make(choice, inputs);
  };
  switch (inputs.target()) {
    case MetricTarget::classes:
      return made(std::begin(of_classes), std::end(of_classes));
    case MetricTarget::labels:
      return made(std::begin(of_labels), std::end(of_labels));
    default:
      return made(std::begin(of_numbers), std::end(of_numbers));
  }
}

// Scores [N, C] or [N, C, ...] and targets [N] or [N, ...] of classification; scores and targets of 0 and 1 [N, L] or
// [N, L, ...] of labels; predictions and targets of one size of regression.
class MetricSet : public named::MetricSets<NamedMetric> {
 public:
  MetricSet(const std::string& list, MetricInputs inputs)
      : MetricSets(chosen_metrics(list, inputs.target()),
                   [inputs](const MetricChoice& choice) { return named_metric(choice, inputs); }) {}
};

}  // namespace levin::metrics
#pragma GCC visibility pop
