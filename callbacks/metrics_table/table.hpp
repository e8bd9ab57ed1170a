// A text table with one row per epoch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::metrics_table {

using Metrics = std::vector<std::pair<std::string, double>>;

// Returns the metrics logged per epoch, without those logged per step.
Metrics of_the_epoch(const Metrics& all);

class Table {
 public:
  // The head is repeated every `head_every` rows.
  explicit Table(int64_t head_every) : head_every_(head_every) {}
  // Returns the lines of one epoch: its row, preceded by the head before the first row, after `head_every` rows and
  // when the columns change. epoch: counted from 1. seconds: the duration of the epoch. width: the width of the
  // terminal, 0 = unlimited; a longer row and its head take several lines.
  std::string row(int64_t epoch, double seconds, const Metrics& metrics, size_t width = 0);

 private:
  std::vector<std::string> columns_;
  int64_t head_every_, rows_ = 0;
};

}  // namespace levin::metrics_table
