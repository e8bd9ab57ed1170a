#include "rates.hpp"

#include <algorithm>
#include <cmath>

namespace levin::curves {
namespace {

// Calls step(positives, negatives) with the numbers of samples of at least each score, from the highest on.
template <class F>
void by_threshold(std::vector<Scored>& samples, F&& step) {
  std::sort(samples.begin(), samples.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  double positives = 0, negatives = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    ++(samples[i].positive ? positives : negatives);
    if (i + 1 == samples.size() || samples[i + 1].score != samples[i].score) step(positives, negatives);
  }
}

double positives_of(const std::vector<Scored>& samples) {
  return static_cast<double>(std::count_if(samples.begin(), samples.end(), [](const Scored& s) { return s.positive; }));
}

}  // namespace

Curve roc(std::vector<Scored> samples) {
  const double all = positives_of(samples), others = static_cast<double>(samples.size()) - all;
  if (all == 0 || others == 0) return {};
  Curve out{{0}, {0}, 0};
  by_threshold(samples, [&](double positives, double negatives) {
    const double x = negatives / others, y = positives / all;
    out.area += (x - out.xs.back()) * (y + out.ys.back()) / 2;
    out.xs.push_back(x), out.ys.push_back(y);
  });
  return out;
}

Curve precision_recall(std::vector<Scored> samples) {
  const double all = positives_of(samples);
  if (all == 0) return {};
  Curve out;
  by_threshold(samples, [&](double positives, double negatives) {
    const double recall = positives / all, precision = positives / (positives + negatives);
    if (out.xs.empty()) out.xs.push_back(0), out.ys.push_back(precision);
    out.area += (recall - out.xs.back()) * precision;
    out.xs.push_back(recall), out.ys.push_back(precision);
  });
  return out;
}

Curve calibration(const std::vector<Scored>& confidences, int64_t bins) {
  struct Bin {
    double samples = 0, confidence = 0, right = 0;
  };
  std::vector<Bin> all(static_cast<size_t>(bins));
  for (const Scored& sample : confidences) {
    const double place = std::floor(sample.score * static_cast<double>(bins));
    Bin& bin = all[static_cast<size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)))];
    ++bin.samples, bin.confidence += sample.score, bin.right += sample.positive ? 1 : 0;
  }
  Curve out;
  for (const Bin& bin : all) {
    if (bin.samples == 0) continue;
    out.xs.push_back(bin.confidence / bin.samples), out.ys.push_back(bin.right / bin.samples);
    out.area += std::abs(bin.right - bin.confidence) / static_cast<double>(confidences.size());
  }
  return out;
}

}  // namespace levin::curves
