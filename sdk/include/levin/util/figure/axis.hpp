// The axis of a figure: its range, the places of values and the labelled ticks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin::detail::figure {

// The range of the finite values; of a logarithmic axis, of the positive ones.
struct Range {
  double from = INFINITY, to = -INFINITY;
  bool empty() const { return from > to; }
  void add(double value) {
    if (!std::isfinite(value)) return;
    from = std::min(from, value);
    to = std::max(to, value);
  }
};

struct Tick {
  double value;
  std::string text;
};

class Axis {
 public:
  // values: the range of the data in the units of the data. start, end: where the range lies, in pixels.
  Axis(Range values, bool logarithmic, double start, double end) : logarithmic_(logarithmic), start_(start), end_(end) {
    if (values.empty()) values = logarithmic ? Range{1, 10} : Range{0, 1};
    from_ = scaled(values.from), to_ = scaled(values.to);
    if (to_ - from_ <= std::fabs(to_) * 1e-12) from_ -= half(from_), to_ += half(to_);
  }

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  double place(double value) const { return start_ + (end_ - start_) * (scaled(value) - from_) / (to_ - from_); }

  // At most about `most` ticks at round values, within the range.
  std::vector<Tick> ticks(int most) const {
    if (logarithmic_ && to_ - from_ >= 1) return decades(most);
    const double from = logarithmic_ ? std::pow(10, from_) : from_, to = logarithmic_ ? std::pow(10, to_) : to_;
    const double step = round_step((to - from) / most);
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    std::vector<Tick> out;
    const double first = std::ceil(from / step - 1e-9);
    for (double n = first; n * step <= to + step * 1e-9 && out.size() < 100; ++n)
      out.push_back({n * step, number(n == 0 ? 0 : n * step, digits)});
    return out;
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }
  double half(double value) const { return logarithmic_ || value == 0 ? 0.5 : std::fabs(value) * 0.05; }

  std::vector<Tick> decades(int most) const {
    std::vector<Tick> out;
    const int first = static_cast<int>(std::ceil(from_ - 1e-9)), last = static_cast<int>(std::floor(to_ + 1e-9));
    const int step = std::max(1, (last - first + most) / most);
    for (int power = first; power <= last; power += step) {
      const double value = std::pow(10, power);
      out.push_back(
          {value, power >= -3 && power <= 5 ? number(value, std::max(0, -power)) : "1e" + std::to_string(power)});
    }
    return out;
  }

  // 1, 2 or 5 times a power of ten, not below `least`.
  static double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
  }

  static std::string number(double value, int digits) {
    char text[64];
    const double size = std::fabs(value);
    if (size != 0 && (size >= 1e7 || digits > 6))
      std::snprintf(text, sizeof text, "%.4g", value);
    else
      std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
  }

  bool logarithmic_;
  double from_ = 0, to_ = 1, start_, end_;
};

}  // namespace levin::detail::figure
#pragma GCC visibility pop
