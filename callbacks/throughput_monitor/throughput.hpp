// Rates over a window of the latest batches. No clock: times are told.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levin::throughput_monitor {

struct Totals {  // since the start; time in seconds
  double time = 0;
  int64_t batches = 0, samples = 0;
  std::optional<int64_t> lengths;         // items (tokens) of the samples
  std::optional<double> flops_per_batch;  // of this device, of the latest batch
};

struct ThroughputOptions {
  std::optional<double> available_flops;  // of one device, a second
  int64_t world_size = 1;
  size_t window_size = 100;  // at least 2
  std::string separator = "/";
};

using Rates = std::vector<std::pair<std::string, double>>;

class Throughput {
 public:
  explicit Throughput(ThroughputOptions options);  // throws Error
  // Throws Error where a total goes back, or lengths are told for some batches only.
  void update(const Totals& totals);
  Rates compute() const;  // time, batches, samples, lengths; with a full window the rates a second

 private:
  bool full() const { return window_.size() == o_.window_size; }
  void add_rates(Rates& out) const;
  void add_flops(Rates& out) const;
  ThroughputOptions o_;
  std::deque<Totals> window_;
  std::deque<double> flops_;
};

}  // namespace levin::throughput_monitor
