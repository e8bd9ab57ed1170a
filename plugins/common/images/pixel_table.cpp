#include "pixel_table.hpp"

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

std::vector<float> pixel_table(const std::vector<uint8_t>& pixels, const std::vector<uint32_t>& rows,
                               const ImageShape& shape, const std::vector<double>& mean,
                               const std::vector<double>& deviation) {
  const auto is_nan = [](double value) { return std::isnan(value); };
  const bool measure =
      std::any_of(mean.begin(), mean.end(), is_nan) || std::any_of(deviation.begin(), deviation.end(), is_nan);
  std::vector<Histogram> counts;
  if (measure) counts = count_bytes(pixels, rows, shape);
  std::vector<float> table;
  for (size_t c = 0; c < static_cast<size_t>(shape.channels); ++c) {
    const Moments own = measure ? moments_of(counts[c]) : Moments{};
    const double m = is_nan(mean[c]) ? own.mean : mean[c], d = is_nan(deviation[c]) ? own.deviation : deviation[c];
    for (int v = 0; v < 256; ++v) table.push_back(static_cast<float>((v / 255.0 - m) / d));
  }
  return table;
}

}  // namespace common
