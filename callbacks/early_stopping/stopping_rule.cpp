#include "stopping_rule.hpp"

#include <cmath>
#include <limits>

#include "levin/util/text.hpp"

namespace levin::early_stopping {

StoppingRule::StoppingRule(const StoppingOptions& options)
    : options_(options), delta_(static_cast<float>(options.maximize ? options.min_delta : -options.min_delta)) {
  const double infinity = std::numeric_limits<double>::infinity();
  state_.best_score = options.maximize ? -infinity : infinity;
}

bool StoppingRule::stop(StoppingReason reason) {
  state_.reason = found_ = reason;
  return true;
}

bool StoppingRule::check(double value) {
  value_ = value;
  found_ = StoppingReason::not_stopped;
  improved_ = false;
  if (options_.check_finite && !std::isfinite(value)) return stop(StoppingReason::non_finite_metric);
  const float v = static_cast<float>(value);
  if (options_.stopping_threshold && better(v, static_cast<float>(*options_.stopping_threshold)))
    return stop(StoppingReason::stopping_threshold);
  if (options_.divergence_threshold && better(-v, -static_cast<float>(*options_.divergence_threshold)))
    return stop(StoppingReason::divergence_threshold);
  if (better(v - delta_, static_cast<float>(state_.best_score))) {
    improved_ = true;
    improvement_ = std::fabs(state_.best_score - value);
    state_.best_score = value;
    state_.wait_count = 0;
    return false;
  }
  return ++state_.wait_count >= options_.patience && stop(StoppingReason::patience_exhausted);
}

std::string StoppingRule::message(const std::string& monitor) const {
  const std::string seen = monitor + " = " + shortest(value_);
  const std::string best = fixed(state_.best_score, 3);
  const char* above = options_.maximize ? " > " : " < ";
  const char* below = options_.maximize ? " < " : " > ";
  switch (found_) {
    case StoppingReason::non_finite_metric:
      return "Monitored metric " + seen + " is not finite. Previous best value was " + best + ". Stopping.";
    case StoppingReason::stopping_threshold:
      return "Stopping threshold reached: " + seen + above + shortest(*options_.stopping_threshold) + ". Stopping.";
    case StoppingReason::divergence_threshold:
      return "Divergence threshold reached: " + seen + below + shortest(*options_.divergence_threshold) + ". Stopping.";
    case StoppingReason::patience_exhausted:
      return "Monitored metric " + monitor + " did not improve in the last " + std::to_string(state_.wait_count) +
             " checks. Best score: " + best + ". Stopping.";
    case StoppingReason::not_stopped:
      break;
  }
  if (!improved_) return {};
  if (!std::isfinite(improvement_)) return "Metric " + monitor + " improved. New best score: " + best;
  return "Metric " + monitor + " improved by " + fixed(improvement_, 3) +
         " >= min_delta = " + shortest(std::fabs(options_.min_delta)) + ". New best score: " + best;
}

}  // namespace levin::early_stopping
