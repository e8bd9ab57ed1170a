// When a loss is a spike. Pure.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace levin::spike_detection {

struct SpikeOptions {
  bool maximize = false;
  size_t window = 10;                // losses of the running mean
  int64_t warmup = 1;                // batches before the first decision
  std::optional<double> atol;        // a spike is at least so far from the running mean
  std::optional<double> rtol = 2.0;  // and so many running means
  bool finite_only = true;           // a loss that is not finite is a spike; else it is passed over
};

struct SpikeState {
  std::vector<float> window;  // the losses of the running mean
  float last = 0;
};

// In single precision, that of losses.
class SpikeRule {
 public:
  explicit SpikeRule(const SpikeOptions& options) : o_(options) {}
  // True: the loss of this batch is a spike; it does not count for what follows.
  bool add(int64_t batch_idx, double loss);
  // The batches to leave out for a spike at this one: it and the one before, which may have spoilt the weights; that of
  // the first batch is -1, as in Lightning.
  static std::vector<int64_t> bad_batches(int64_t batch_idx) { return {batch_idx - 1, batch_idx}; }

  SpikeState state() const { return {{window_.begin(), window_.end()}, last_}; }
  void restore(const SpikeState& state) {
    window_.assign(state.window.begin(), state.window.end());
    while (window_.size() > o_.window) window_.pop_front();
    last_ = state.last;
  }

 private:
  bool is_spike(float loss) const;
  float mean() const;
  SpikeOptions o_;
  std::deque<float> window_;
  float last_ = 0;
};

}  // namespace levin::spike_detection
