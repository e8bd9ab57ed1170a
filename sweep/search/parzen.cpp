#include "sweep/search/parzen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace levin::core::sweep {
namespace {

constexpr size_t full_weights = 25;  // the newest trials, which count fully

// The weights of trials, oldest first, and of the prior behind them. They add up to 1.
std::vector<double> weights_of(size_t count) {
  std::vector<double> out(count + 1, 1.0);
  const size_t ramp = count < full_weights ? 0 : count - full_weights;
  for (size_t i = 0; i < ramp; ++i) {
    const double first = 1.0 / static_cast<double>(count);
    out[i] = ramp == 1 ? first : first + (1 - first) * static_cast<double>(i) / static_cast<double>(ramp - 1);
  }
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& weight : out) weight /= sum;
  return out;
}

double normal_below(double x) { return 0.5 * std::erfc(-x / 1.4142135623730951); }

double mass(double center, double width, double from, double to) {
  return std::max(normal_below((to - center) / width) - normal_below((from - center) / width), 1e-300);
}

}  // namespace

Parzen::Parzen(const Parameter& parameter, const std::vector<double>& values) : parameter_(parameter) {
  const std::vector<double> weights = weights_of(values.size());
  if (parameter.kind == ParameterKind::choice) {
    set_choices(values, weights);
    return;
  }
  scale_ = scale_of(parameter);
  for (size_t i = 0; i < values.size(); ++i) kernels_.push_back({to_scale(parameter, values[i]), 0, weights[i]});
  kernels_.push_back({(scale_.low + scale_.high) / 2, 0, weights.back()});
  set_widths();
}

// Each trial has 1 for its own choice and a share of the prior for all of them.
void Parzen::set_choices(const std::vector<double>& values, const std::vector<double>& weights) {
  const size_t choices = parameter_.choices.size();
  const double share = 1.0 / static_cast<double>(values.size() + 1);
  const double sum = 1 + share * static_cast<double>(choices);
  kernels_.assign(choices, {0, 0, weights.back() / static_cast<double>(choices)});
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t c = 0; c < choices; ++c)
      kernels_[c].weight += weights[i] * (share + (static_cast<size_t>(values[i]) == c ? 1 : 0)) / sum;
}

// The width of a kernel is the larger distance to its two neighbours. The outermost ones have only one.
void Parzen::set_widths() {
  const double range = scale_.high - scale_.low;
  const size_t count = kernels_.size();
  const double least = range / std::min(100.0, 1.0 + static_cast<double>(count));
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](size_t a, size_t b) { return kernels_[a].center < kernels_[b].center; });
  for (size_t i = 0; i < count; ++i) {
    const double center = kernels_[order[i]].center;
    const double left = i > 0 ? center - kernels_[order[i - 1]].center : center - scale_.low;
    const double right = i + 1 < count ? kernels_[order[i + 1]].center - center : scale_.high - center;
    double width = std::max(left, right);
    if (count > 1 && i == 0) width = right;
    if (count > 1 && i + 1 == count) width = left;
    kernels_[order[i]].width = std::min(std::max(width, least), range);
  }
  kernels_.back().width = range;
}

size_t Parzen::draw(RandomNumbers& random) const {
  double left = random.unit();
  for (size_t i = 0; i + 1 < kernels_.size(); ++i)
    if ((left -= kernels_[i].weight) < 0) return i;
  return kernels_.size() - 1;
}

double Parzen::sample(RandomNumbers& random) const {
  const size_t drawn = draw(random);
  if (parameter_.kind == ParameterKind::choice) return static_cast<double>(drawn);
  const Kernel& kernel = kernels_[drawn];
  double value = kernel.center;
  for (int tries = 0; tries < 100; ++tries) {  // a third or more are within the range
    value = kernel.center + kernel.width * random.normal();
    if (value >= scale_.low && value <= scale_.high) break;
  }
  return from_scale(parameter_, std::min(std::max(value, scale_.low), scale_.high));
}

double Parzen::log_density(double value) const {
  if (parameter_.kind == ParameterKind::choice) return std::log(kernels_.at(static_cast<size_t>(value)).weight);
  const double x = to_scale(parameter_, value);
  double sum = 0;
  for (const Kernel& kernel : kernels_) {
    const double whole = mass(kernel.center, kernel.width, scale_.low, scale_.high);
    double density = 0;
    if (scale_.step > 0) {
      density = mass(kernel.center, kernel.width, std::max(x - scale_.step / 2, scale_.low),
                     std::min(x + scale_.step / 2, scale_.high));
    } else {
      const double distance = (x - kernel.center) / kernel.width;
      density = std::exp(-distance * distance / 2) / (kernel.width * 2.5066282746310002);
    }
    sum += kernel.weight * density / whole;
  }
  return std::log(std::max(sum, 1e-300));
}

}  // namespace levin::core::sweep
