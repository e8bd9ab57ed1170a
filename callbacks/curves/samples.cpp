#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "levin/processes.hpp"

namespace levin::curves {

std::vector<double> classes_last(const std::vector<double>& scores, const std::vector<int64_t>& shape) {
  if (shape.size() < 3 || scores.empty()) return scores;
  const auto samples = static_cast<size_t>(shape[0]), classes = static_cast<size_t>(shape[1]);
  const size_t places = scores.size() / (samples * classes);
  std::vector<double> out;
  out.reserve(scores.size());
  for (size_t n = 0; n < samples; ++n)
    for (size_t place = 0; place < places; ++place)
      for (size_t c = 0; c < classes; ++c) out.push_back(scores[(n * classes + c) * places + place]);
  return out;
}

void Samples::add(const std::vector<double>& scores, const std::vector<int64_t>& targets, int64_t most) {
  if (targets.empty()) return;
  const size_t classes = scores.size() / targets.size();
  if (classes_ == 0) classes_ = static_cast<int64_t>(classes);
  if (classes < 2 || scores.size() % targets.size() != 0 || classes_ != static_cast<int64_t>(classes))
    throw Error(LEVIN_E_INVALID, "curves need scores [N, classes] and targets [N], not " +
                                     std::to_string(scores.size()) + " scores for " + std::to_string(targets.size()) +
                                     " targets");
  for (size_t i = 0; i < targets.size() && size() < most; ++i) {
    const auto from = scores.begin() + static_cast<std::ptrdiff_t>(i * classes);
    const auto to = from + static_cast<std::ptrdiff_t>(classes);
    const bool has_nan = std::any_of(from, to, [](double score) { return std::isnan(score); });
    if (targets[i] < 0 || has_nan || std::isinf(*std::max_element(from, to))) continue;
    scores_.insert(scores_.end(), from, to);
    targets_.push_back(targets[i]);
  }
}

void Samples::join(const Run& run) {
  const auto largest = [&](int64_t value) { return over_processes(run, {value}, LEVIN_REDUCE_MAX).at(0); };
  const auto classes = static_cast<size_t>(largest(classes_)), most = static_cast<size_t>(largest(size()));
  if (most == 0) return;
  // Each process fills its own part. A row is its scores and its target + 1, which is 0 where there is no row.
  std::vector<double> all(run.world_size() * most * (classes + 1), 0);
  auto out = all.begin() + static_cast<std::ptrdiff_t>(run.rank() * most * (classes + 1));
  for (size_t i = 0; i < targets_.size(); ++i) {
    out = std::copy(row(i), row(i) + classes, out);
    *out++ = static_cast<double>(targets_[i]) + 1;
  }
  all = numbers_over_processes(run, std::move(all), LEVIN_REDUCE_SUM);
  classes_ = static_cast<int64_t>(classes);
  scores_.clear(), targets_.clear();
  for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(classes + 1)) {
    const auto target = at + static_cast<std::ptrdiff_t>(classes);
    if (*target == 0) continue;
    scores_.insert(scores_.end(), at, target);
    targets_.push_back(static_cast<int64_t>(*target) - 1);
  }
}

std::vector<double> Samples::probabilities(size_t i) const {
  std::vector<double> out(row(i), row(i) + classes_);
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  const auto [lowest, highest] = std::minmax_element(out.begin(), out.end());
  if (*lowest >= 0 && *highest <= 1 && std::abs(sum - 1) < 1e-3) return out;
  const double top = *highest;
  double all = 0;
  for (double& p : out) all += p = std::exp(p - top);
  for (double& p : out) p /= all;
  return out;
}

std::vector<Scored> Samples::of_class(int64_t c) const {
  std::vector<Scored> out;
  for (size_t i = 0; i < targets_.size(); ++i) {
    const double score = classes_ == 2 ? row(i)[c] - row(i)[1 - c] : probabilities(i)[static_cast<size_t>(c)];
    out.push_back({score, targets_[i] == c});
  }
  return out;
}

std::vector<Scored> Samples::confidences() const {
  std::vector<Scored> out;
  for (size_t i = 0; i < targets_.size(); ++i) {
    const std::vector<double> p = probabilities(i);
    const auto best = std::max_element(p.begin(), p.end());
    out.push_back({*best, best - p.begin() == targets_[i]});
  }
  return out;
}

}  // namespace levin::curves
