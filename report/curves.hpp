// The curves of the metrics of several runs.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "runs/metric_history.hpp"

namespace levin::core::report {

struct RunCurves {
  std::string run;
  const std::map<std::string, MetricHistory>* metrics;
};

// One picture for each metric that a run has logged at several steps. It shows the metric in training, in validation
// and in all runs; of one run each line has a colour of its own, else each run has one and validation is dashed.
std::vector<Picture> curves_of(const std::vector<RunCurves>& runs);

}  // namespace levin::core::report
