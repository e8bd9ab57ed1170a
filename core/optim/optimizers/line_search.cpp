#include "core/optim/optimizers/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace levin::core {
namespace {

// A bracket around a good point, or the point itself (found).
struct Bracket {
  LinePoint a, b;
  bool found = false;
};

class Search {
 public:
  Search(const LineSearch& search, const LinePoint& start) : search_(search), start_(start) {}

  LineSearchResult run(double t) {
    Bracket bracket = enclose(t);
    if (!bracket.found) zoom(bracket);
    return {bracket.found || bracket.a.loss <= bracket.b.loss ? bracket.a : bracket.b, evaluations_};
  }

 private:
  LinePoint evaluate(double t) {
    LinePoint point = search_.evaluate(t);
    point.slope = point.grad.dot(search_.direction).item<double>();
    ++evaluations_;
    return point;
  }

  bool too_high(const LinePoint& point) const {
    return point.loss > start_.loss + search_.armijo * point.t * start_.slope;
  }
  bool flat_enough(const LinePoint& point) const { return std::abs(point.slope) <= -search_.curvature * start_.slope; }

  // Goes outwards until a minimum must lie between two points.
  Bracket enclose(double t) {
    LinePoint last = start_, now = evaluate(t);
    for (; steps_ < search_.max_steps; ++steps_) {
      if (too_high(now) || (steps_ > 1 && now.loss >= last.loss)) return {last, now};
      if (flat_enough(now)) return {now, now, true};
      if (now.slope >= 0) return {last, now};
      const double next = cubic_minimum(last, now, now.t + 0.01 * (now.t - last.t), now.t * 10);
      last = now;
      now = evaluate(next);
    }
    return {start_, now};
  }

  // Narrows the bracket; its better point becomes the result.
  void zoom(Bracket& bracket) {
    double widest = search_.direction.abs().max().item<double>();
    bool stuck = false;
    LinePoint *low = &bracket.a, *high = &bracket.b;
    if (low->loss > high->loss) std::swap(low, high);
    for (; steps_ < search_.max_steps; ++steps_) {
      if (std::abs(bracket.b.t - bracket.a.t) * widest < search_.tolerance_change) return;
      const LinePoint point = evaluate(inner_step(bracket, stuck));
      if (too_high(point) || point.loss >= low->loss) {
        *high = point;
        low = &bracket.a, high = &bracket.b;
        if (low->loss > high->loss) std::swap(low, high);
        continue;
      }
      const bool done = flat_enough(point);
      if (!done && point.slope * (high->t - low->t) >= 0) *high = *low;
      *low = point;
      if (!done) continue;
      bracket = {point, point, true};
      return;
    }
  }

  // Within the bracket, and not for long near its ends, where interpolation may stall.
  static double inner_step(const Bracket& bracket, bool& stuck) {
    const double low = std::min(bracket.a.t, bracket.b.t), high = std::max(bracket.a.t, bracket.b.t);
    const double t = cubic_minimum(bracket.a, bracket.b, low, high);
    const double margin = 0.1 * (high - low);
    if (std::min(high - t, t - low) >= margin) {
      stuck = false;
      return t;
    }
    if (!stuck && t < high && t > low) {
      stuck = true;
      return t;
    }
    stuck = false;
    return std::abs(t - high) < std::abs(t - low) ? high - margin : low + margin;
  }

  const LineSearch& search_;
  const LinePoint& start_;
  int steps_ = 0;
  int64_t evaluations_ = 0;
};

}  // namespace

double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high) {
  const double d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t);
  const double square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const double t = a.t <= b.t ? b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
                              : a.t - (a.t - b.t) * ((a.slope + d2 - d1) / (a.slope - b.slope + 2 * d2));
  return std::min(std::max(t, low), high);
}

LineSearchResult strong_wolfe(const LineSearch& search, const LinePoint& start, double t) {
  return Search(search, start).run(t);
}

}  // namespace levin::core
