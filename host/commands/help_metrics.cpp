#include "host/commands/help_metrics.hpp"

#include <cstdio>

#include "core/base/text.hpp"
#include "sdk/include/levin/util/metric_table.hpp"

namespace levin::core {
namespace {

// Returns "f1[:macro|micro][:threshold=0.5]".
std::string usage_of(const metrics::MetricRow& row) {
  std::string out = row.name;
  for (const std::string& argument : split(row.arguments, ' '))
    if (!argument.empty()) out += "[:" + argument + "]";
  return out;
}

void print_row(const metrics::MetricRow& row) { std::printf("  %s\n      %s\n", usage_of(row).c_str(), row.summary); }

const char* const metrics_text =
    R"(--model.metrics "f1:macro, accuracy:top5, ece:10" logs val_f1_macro, val_accuracy_top5 and val_ece_10, and the same of test_.
A metric may have arguments, in any order: one of the words a|b, of which the first is the default; topK such as top5; and
numbers, in the order of the list.
)";

}  // namespace

int print_metrics() {
  std::fputs(metrics_text, stdout);
  for (const metrics::MetricFamily& family : metrics::metric_families()) {
    std::printf("\nOf %s, for %s\n", family.name, family.takes);
    for (const metrics::MetricRow& row : family.rows) print_row(row);
  }
  return 0;
}

int print_metric(const std::string& name) {
  int found = 0;
  for (const metrics::MetricFamily& family : metrics::metric_families()) {
    for (const metrics::MetricRow& row : family.rows) {
      if (name != row.name) continue;
      std::printf("metric of %s\n", family.name);
      print_row(row);
      ++found;
    }
  }
  return found;
}

}  // namespace levin::core
