#include "sweep/search/tpe_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sweep/search/parzen.hpp"
#include "sweep/search/random_numbers.hpp"

namespace levin::core::sweep {
namespace {

constexpr size_t random_trials = 10;
constexpr size_t candidates = 24;

struct Halves {
  std::vector<size_t> good, bad;  // indices of observations, in the order of the trials
};

Halves halves_of(const std::vector<Observation>& seen) {
  std::vector<size_t> order(seen.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto known = static_cast<size_t>(
      std::count_if(seen.begin(), seen.end(), [](const Observation& one) { return one.loss.has_value(); }));
  std::stable_sort(order.begin(), order.end(), [&seen](size_t a, size_t b) {
    const Observation &x = seen[a], &y = seen[b];
    if (x.loss.has_value() != y.loss.has_value()) return x.loss.has_value();
    if (!x.loss) return false;
    return x.epochs != y.epochs ? x.epochs > y.epochs : *x.loss < *y.loss;
  });
  const size_t best = std::min<size_t>((known + 9) / 10, 25);
  const auto split = order.begin() + static_cast<std::ptrdiff_t>(best);
  Halves out{{order.begin(), split}, {split, order.end()}};
  std::sort(out.good.begin(), out.good.end());
  std::sort(out.bad.begin(), out.bad.end());
  return out;
}

std::vector<double> column(const std::vector<Observation>& seen, const std::vector<size_t>& rows, size_t parameter) {
  std::vector<double> out;
  for (const size_t row : rows) out.push_back(seen[row].values.at(parameter));
  return out;
}

}  // namespace

std::optional<Assignment> TpeSampler::next(uint64_t number, const std::vector<Observation>& seen) {
  const auto known = std::count_if(seen.begin(), seen.end(), [](const Observation& o) { return o.loss.has_value(); });
  if (static_cast<size_t>(known) < random_trials) return random_values(parameters_, seed_, number);
  const Halves halves = halves_of(seen);
  RandomNumbers random(seed_, number);
  Assignment out;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Parzen good(parameters_[i], column(seen, halves.good, i)), bad(parameters_[i], column(seen, halves.bad, i));
    double best = 0, best_gain = -INFINITY;
    for (size_t n = 0; n < candidates; ++n) {
      const double value = good.sample(random);
      const double gain = good.log_density(value) - bad.log_density(value);
      if (gain > best_gain) best = value, best_gain = gain;
    }
    out.push_back(best);
  }
  return out;
}

}  // namespace levin::core::sweep
