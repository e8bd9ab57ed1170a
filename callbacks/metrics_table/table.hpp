// A table that grows by one row an epoch. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::metrics_table {

using Metrics = std::vector<std::pair<std::string, double>>;

// The metrics of an epoch: what was logged by epoch, without the values of single steps.
Metrics of_the_epoch(const Metrics& all);

class Table {
 public:
  // The lines for one epoch: its row, and the head before the first row, every `head_every` rows and when the columns
  // change. seconds: of the epoch.
  explicit Table(int64_t head_every) : head_every_(head_every) {}
  std::string row(int64_t epoch, double seconds, const Metrics& metrics);

 private:
  std::vector<std::string> columns_;
  int64_t head_every_, rows_ = 0;
};

}  // namespace levin::metrics_table
