// Metrics of texts by name, for models that write texts:
//
//   static constexpr levin_option options[] = {levin::metrics::option};
//   levin::metrics::TextMetricSet metrics{args.text("metrics")};  // "wer, bleu:smooth, rouge_l"
//   void validation_step(const levin::Batch& batch) {
//     metrics.update("val_", 0, written, references,  // as many UTF-8 texts
//                    [&](const char* name, levin::metrics::Metric& metric) { levin::metrics::log(*this, name, metric);
//                    });
//   }
#pragma once
#include <algorithm>
#include <iterator>
#include <string>

#include "levin/torch/metrics/named/metric_sets.hpp"
#include "levin/torch/metrics/named/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// Returns the metric of a choice that chosen_metrics has read for texts. Throws Error for arguments that the metric
// cannot have.
inline NamedTextMetric named_text_metric(const MetricChoice& choice) {
  struct Row {
    const char* name;
    NamedTextMetric (*make)(const MetricChoice&);
  };
#define LEVIN_METRIC_MAKE(name, arguments, summary) {#name, named::name::made<named::name>},
  static constexpr Row rows[] = {LEVIN_TEXT_METRICS(LEVIN_METRIC_MAKE)};
#undef LEVIN_METRIC_MAKE
  const Row* row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& each) { return choice.name == each.name; });
  if (row == std::end(rows)) throw Error(LEVIN_E_INVALID, "metric '" + choice.name + "' is of other targets");
  return row->make(choice);
}

class TextMetricSet : public named::MetricSets<NamedTextMetric> {
 public:
  explicit TextMetricSet(const std::string& list)
      : MetricSets(chosen_metrics(list, MetricTarget::texts), named_text_metric) {}
};

}  // namespace levin::metrics
#pragma GCC visibility pop
