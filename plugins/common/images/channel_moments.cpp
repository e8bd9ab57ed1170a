#include "channel_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace common {
namespace {

using Histogram = std::array<uint64_t, 256>;

struct Moments {
  double mean, deviation;
};

std::vector<Histogram> count_bytes(const std::vector<uint8_t>& bytes, const std::vector<uint32_t>& rows,
                                   const ImageShape& shape) {
  const size_t pixels = static_cast<size_t>(shape.height * shape.width);
  std::vector<Histogram> counts(static_cast<size_t>(shape.channels));
  for (uint32_t row : rows)
    for (size_t c = 0; c < counts.size(); ++c) {
      const uint8_t* p = bytes.data() + (row * counts.size() + c) * pixels;
      for (size_t i = 0; i < pixels; ++i) ++counts[c][p[i]];
    }
  return counts;
}

Moments moments_of(const Histogram& histogram) {
  double n = 0, sum = 0, squares = 0;
  for (size_t v = 0; v < 256; ++v) {
    const double count = static_cast<double>(histogram[v]), value = static_cast<double>(v) / 255;
    n += count, sum += count * value, squares += count * value * value;
  }
  const double mean = sum / n, variance = std::max(0.0, squares / n - mean * mean);
  return {mean, std::max(1e-6, std::sqrt(variance))};  // avoids 0 for images of a single colour
}

}  // namespace

void fill_in_moments(const std::vector<uint8_t>& pixels, const std::vector<uint32_t>& rows, const ImageShape& shape,
                     std::vector<double>& mean, std::vector<double>& deviation) {
  const auto is_nan = [](double value) { return std::isnan(value); };
  if (std::none_of(mean.begin(), mean.end(), is_nan) && std::none_of(deviation.begin(), deviation.end(), is_nan))
    return;
  const std::vector<Histogram> counts = count_bytes(pixels, rows, shape);
  for (size_t c = 0; c < counts.size(); ++c) {
    const Moments own = moments_of(counts[c]);
    if (is_nan(mean[c])) mean[c] = own.mean;
    if (is_nan(deviation[c])) deviation[c] = own.deviation;
  }
}

}  // namespace common
