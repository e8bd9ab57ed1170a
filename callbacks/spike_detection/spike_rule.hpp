// When a loss is a spike.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace levin::spike_detection {

struct SpikeOptions {
  bool maximize = false;
  size_t window = 10;                // the number of losses in the running mean
  int64_t warmup = 1;                // the batches before the first decision
  std::optional<double> atol;        // the least distance of a spike from the running mean
  std::optional<double> rtol = 2.0;  // the least distance as a multiple of the running mean
  bool finite_only = true;           // whether a loss that is not finite is a spike; if not, it is ignored
};

struct SpikeState {
  std::vector<float> window;  // the losses in the running mean
  float last = 0;
};

// Computes in single precision, which is the precision of losses.
class SpikeRule {
 public:
  explicit SpikeRule(const SpikeOptions& options) : options_(options) {}
  // Returns true if the loss of this batch is a spike, which then does not enter the running mean.
  bool add(int64_t batch_idx, double loss);
  // The batches to leave out for a spike at this batch: the batch itself and the one before, which may have spoilt the
  // weights. As in Lightning, the one before the first is -1.
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
