// The rows of an evaluation's batches that have values with sync_dist. Processes may have different numbers of batches,
// so these values are reduced once, at the end, and only then sent to the loggers.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/logging/metrics/metric_entry.hpp"
#include "core/logging/metrics/ordered_metrics.hpp"

namespace levin::core {

class DelayedRows {
 public:
  bool empty() const { return rows_.empty(); }
  // Notes a value to be reduced. batch: the batch's index in its loader.
  void note(const MetricEntry& entry, int64_t batch, double value);
  void keep(int64_t step, int64_t batch, OrderedMetrics row) { rows_.push_back({step, batch, std::move(row)}); }
  nlohmann::json shares() const;  // the noted values, for the other processes
  // Sets the rows' reduced values, passes the rows to `sink` in order, and clears everything. all: the shares() of each
  // process.
  void send(const std::vector<nlohmann::json>& all,
            const std::function<void(int64_t step, const OrderedMetrics& row)>& sink);
  void clear() { *this = {}; }

 private:
  struct Row {
    int64_t step, batch;
    OrderedMetrics values;
  };
  struct Noted {
    MetricMeta meta;
    std::vector<int64_t> batches;
    std::vector<double> values;
    bool wide = false;
  };
  std::map<std::string, Noted> noted_;
  std::vector<Row> rows_;
};

}  // namespace levin::core
