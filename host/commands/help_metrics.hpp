// Help on the metrics of --model.metrics.
#pragma once
#include <string>

namespace levin::core {

int print_metrics();  // returns 0
// Prints the metric with this name. Returns the number of metrics printed.
int print_metric(const std::string& name);

}  // namespace levin::core
