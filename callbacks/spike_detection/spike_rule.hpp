// The rule for detecting loss spikes.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace levin::spike_detection {

struct SpikeOptions {
  bool maximize = false;
  size_t window = 10;                // number of losses in the running mean
  int64_t warmup = 1;                // number of batches before the first decision
  std::optional<double> atol;        // minimum distance of a spike from the running mean
  std::optional<double> rtol = 2.0;  // minimum distance as a multiple of the running mean
  bool finite_only = true;           // true = a non-finite loss is a spike; false = it is ignored
};

struct SpikeState {
  std::vector<float> window;  // the losses in the running mean
  float last = 0;
};

// Computes in single precision, the precision of losses.
class SpikeRule {
 public:
  explicit SpikeRule(const SpikeOptions& options) : options_(options) {}
  // Returns true if the loss of this batch is a spike. A spike does not enter the running mean.
  bool add(int64_t batch_idx, double loss);
  // Returns the batches to leave out after a spike at this batch: the batch itself and the previous one, which may have
  // damaged the weights. As in Lightning, the batch before the first is -1.
  static std::vector<int64_t> bad_batches(int64_t batch_idx) { return {batch_idx - 1, batch_idx}; }

  SpikeState state() const { return {{window_.begin(), window_.end()}, last_}; }
  void restore(const SpikeState& state) {
    window_.assign(state.window.begin(), state.window.end());
    while (window_.size() > options_.window) window_.pop_front();
    last_ = state.last;
  }

 private:
  bool is_spike(float loss) const;
  float mean() const;
  SpikeOptions options_;
  std::deque<float> window_;
  float last_ = 0;
};

}  // namespace levin::spike_detection
