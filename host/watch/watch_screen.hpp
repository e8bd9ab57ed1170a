// What host watch shows of a run.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "runs/metric_history.hpp"
#include "runs/run_row.hpp"

namespace levin::core::watch {

struct Watched {
  RunRow row;
  const std::map<std::string, MetricHistory>* metrics = nullptr;
  std::string log;  // its end
};

struct Size {
  size_t columns = 80, rows = 24;
  bool colours = false;
};

// Returns at most size.rows lines: a chart for each metric of several steps, the loss first, as far as there is room.
std::vector<std::string> charts(const std::map<std::string, MetricHistory>& metrics, const Size& size);

// Returns the last lines of the text, at most the fourth part of a screen of so many rows.
std::vector<std::string> last_lines(const std::string& text, size_t rows);

// Returns at most size.rows lines of at most size.columns columns each.
std::vector<std::string> watch_screen(const Watched& run, const Size& size);

// Returns one line, such as "version_3 running: epoch 2, step 140, train_loss 0.31".
std::string watch_line(const Watched& run);

}  // namespace levin::core::watch
