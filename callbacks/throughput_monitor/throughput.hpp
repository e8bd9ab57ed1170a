// Rates over a window of the latest batches. The caller passes the times.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levin::throughput_monitor {

struct Totals {     // since the start
  double time = 0;  // seconds
  int64_t batches = 0, samples = 0;
  std::optional<int64_t> lengths;         // number of items (tokens) in the samples
  std::optional<double> flops_per_batch;  // of the latest batch on this device
};

struct ThroughputOptions {
  std::optional<double> available_flops;  // of one device, per second
  int64_t world_size = 1;
  size_t window_size = 100;  // at least 2
  std::string separator = "/";
};

using Rates = std::vector<std::pair<std::string, double>>;

class Throughput {
 public:
  explicit Throughput(ThroughputOptions options);  // throws Error for invalid options
  // Throws Error if a total does not increase, if there are fewer samples than batches or fewer items than samples, or
  // if only some updates have lengths.
  void update(const Totals& totals);
  // The window for a checkpoint, so that the rates continue in a resumed run.
  std::vector<Totals> window() const { return {window_.begin(), window_.end()}; }
  Rates compute() const;  // time, batches, samples and lengths; with a full window also the rates per second

 private:
  bool full() const { return window_.size() == options_.window_size; }
  void add_rates(Rates& out) const;
  void add_flops(Rates& out) const;
  ThroughputOptions options_;
  std::deque<Totals> window_;
  std::deque<double> flops_;
};

}  // namespace levin::throughput_monitor
