// The rule for early stopping. It uses no clock, no I/O and no trainer.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace levin::early_stopping {

struct StoppingOptions {
  double min_delta = 0;  // a change counts as an improvement if it is larger than this
  int64_t patience = 3;  // the number of checks without improvement after which to stop
  bool maximize = false;
  bool check_finite = true;
  std::optional<double> stopping_threshold;    // stop when the metric is strictly better than this
  std::optional<double> divergence_threshold;  // stop when the metric is strictly worse than this
};

enum class StoppingReason : int32_t {
  not_stopped,
  stopping_threshold,
  divergence_threshold,
  patience_exhausted,
  non_finite_metric,
};

struct StoppingState {
  int64_t wait_count = 0;
  double best_score = 0;
  StoppingReason reason = StoppingReason::not_stopped;
};

// Compares in single precision, the precision of logged metrics.
class StoppingRule {
 public:
  explicit StoppingRule(const StoppingOptions& options);

  // Takes the next value of the metric. Returns true if training must stop; state().reason is then the reason.
  bool check(double value);

  // Returns the result of the last check as text; empty = no message.
  std::string message(const std::string& monitor) const;

  const StoppingOptions& options() const { return options_; }
  const StoppingState& state() const { return state_; }
  void restore(const StoppingState& state) { state_ = state; }

 private:
  bool better(float a, float b) const { return options_.maximize ? a > b : a < b; }
  bool stop(StoppingReason reason);
  StoppingOptions options_;
  float delta_;  // min_delta with the sign of the mode
  StoppingState state_;
  double value_ = 0;
  double improvement_ = 0;
  StoppingReason found_ = StoppingReason::not_stopped;  // the result of the last check
  bool improved_ = false;
};

}  // namespace levin::early_stopping
