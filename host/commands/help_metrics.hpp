// Help on the metrics of --model.metrics.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

int print_metrics();  // returns 0
// Prints the metric with this name. Returns the number of metrics printed.
int print_metric(const std::string& name);
std::vector<std::string> metric_names();

}  // namespace levin::core
