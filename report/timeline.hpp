// A picture of what workers did when: a row for each worker, a bar for each task.
#pragma once
#include <string>
#include <vector>

#include "report/document.hpp"

namespace levin::core::report {

struct TimelineBar {
  double from = 0, to = 0;  // seconds
  bool failed = false;
};
struct TimelineRow {
  std::string name;
  std::vector<TimelineBar> bars;
};

// The first rows, if there are more than a page shows. Bars of less than a pixel are drawn together.
Picture timeline_of(const std::string& title, std::vector<TimelineRow> rows);

}  // namespace levin::core::report
