// A table with one row for each epoch, as text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::metrics_table {

using Metrics = std::vector<std::pair<std::string, double>>;

// The metrics that were logged by epoch, without those of single steps.
Metrics of_the_epoch(const Metrics& all);

class Table {
 public:
  // The head is repeated every `head_every` rows.
  explicit Table(int64_t head_every) : head_every_(head_every) {}
  // The lines for one epoch: its row and, before the first row, after `head_every` rows and when the columns change,
  // the head. epoch: counted from 1; seconds: the time that it took; width: of the terminal, on which a long row and
  // its head take several lines; 0: any.
  std::string row(int64_t epoch, double seconds, const Metrics& metrics, size_t width = 0);

 private:
  std::vector<std::string> columns_;
  int64_t head_every_, rows_ = 0;
};

}  // namespace levin::metrics_table
