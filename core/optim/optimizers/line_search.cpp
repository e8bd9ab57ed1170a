#include "core/optim/optimizers/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace levin::core {
namespace {

// Two points that enclose an acceptable point, or, if it is found, that point twice.
struct Bracket {
  LinePoint first, second;
  bool found = false;
};

class Search {
 public:
  Search(const LineSearch& search, const LinePoint& start) : search_(search), start_(start) {}

  LineSearchResult run(double step) {
    Bracket bracket = enclose(step);
    if (!bracket.found) zoom(bracket);
    const bool first = bracket.found || bracket.first.loss <= bracket.second.loss;
    return {first ? bracket.first : bracket.second, evaluations_};
  }

 private:
  LinePoint evaluate(double step) {
    LinePoint point = search_.evaluate(step);
    point.slope = point.grad.dot(search_.direction).item<double>();
    ++evaluations_;
    return point;
  }

  bool too_high(const LinePoint& point) const {
    return point.loss > start_.loss + search_.armijo * point.step * start_.slope;
  }
  bool flat_enough(const LinePoint& point) const { return std::abs(point.slope) <= -search_.curvature * start_.slope; }

  // Takes larger steps until a minimum must lie between two points.
  Bracket enclose(double step) {
    LinePoint last = start_, now = evaluate(step);
    for (; steps_ < search_.max_steps; ++steps_) {
      if (too_high(now) || (steps_ > 1 && now.loss >= last.loss)) return {last, now};
      if (flat_enough(now)) return {now, now, true};
      if (now.slope >= 0) return {last, now};
      const double next = cubic_minimum(last, now, now.step + 0.01 * (now.step - last.step), now.step * 10);
      last = now;
      now = evaluate(next);
    }
    return {start_, now};
  }

  // Narrows the bracket. The better of its points becomes the result.
  void zoom(Bracket& bracket) {
    double widest = search_.direction.abs().max().item<double>();
    bool stuck = false;
    LinePoint *low = &bracket.first, *high = &bracket.second;
    if (low->loss > high->loss) std::swap(low, high);
    for (; steps_ < search_.max_steps; ++steps_) {
      if (std::abs(bracket.second.step - bracket.first.step) * widest < search_.tolerance_change) return;
      const LinePoint point = evaluate(inner_step(bracket, stuck));
      if (too_high(point) || point.loss >= low->loss) {
        *high = point;
        low = &bracket.first, high = &bracket.second;
        if (low->loss > high->loss) std::swap(low, high);
        continue;
      }
      const bool done = flat_enough(point);
      if (!done && point.slope * (high->step - low->step) >= 0) *high = *low;
      *low = point;
      if (!done) continue;
      bracket = {point, point, true};
      return;
    }
  }

  // Returns the next step within the bracket. Interpolation may stall near the ends, so a second step there is moved
  // inwards.
  static double inner_step(const Bracket& bracket, bool& stuck) {
    const double low = std::min(bracket.first.step, bracket.second.step);
    const double high = std::max(bracket.first.step, bracket.second.step);
    const double step = cubic_minimum(bracket.first, bracket.second, low, high);
    const double margin = 0.1 * (high - low);
    if (std::min(high - step, step - low) >= margin) {
      stuck = false;
      return step;
    }
    if (!stuck && step < high && step > low) {
      stuck = true;
      return step;
    }
    stuck = false;
    return std::abs(step - high) < std::abs(step - low) ? high - margin : low + margin;
  }

  const LineSearch& search_;
  const LinePoint& start_;
  int steps_ = 0;
  int64_t evaluations_ = 0;
};

}  // namespace

double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high) {
  const double d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.step - b.step);
  const double square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const LinePoint &left = a.step <= b.step ? a : b, &right = a.step <= b.step ? b : a;
  const double share = (right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2);
  return std::min(std::max(right.step - (right.step - left.step) * share, low), high);
}

LineSearchResult strong_wolfe(const LineSearch& search, const LinePoint& start, double step) {
  return Search(search, start).run(step);
}

}  // namespace levin::core
