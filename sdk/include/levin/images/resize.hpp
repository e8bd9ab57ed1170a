// Resizes pictures as Pillow's Image.resize(size, BILINEAR, box), first horizontally and then vertically, with a
// triangle filter that is scaled to the pixels of the result (antialiasing).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin::images {

struct Pixels {  // data is not owned
  int64_t width, height, channels;
  const uint8_t* data;  // [height][width][channels]
};
struct Box {
  float left, top, right, bottom;
};

namespace detail_of_resize {

inline constexpr int fraction_bits = 22;  // fraction bits of the fixed-point weights

inline int64_t nearest(double value) { return static_cast<int64_t>(std::floor(value + 0.5)); }

// For each pixel of the result: its first source pixel, and the weights of the source pixels from there on.
struct Weights {
  size_t most;  // maximum number of weights of a pixel
  std::vector<int64_t> first;
  std::vector<int32_t> count, values;  // values: [result][most]
};

inline Weights weights_of(int64_t size, float from, float to, int64_t result) {
  const double scale = static_cast<double>(to - from) / static_cast<double>(result), support = std::max(scale, 1.0);
  Weights out{static_cast<size_t>(std::ceil(support)) * 2 + 1, {}, {}, {}};
  std::vector<double> exact(out.most);
  for (int64_t i = 0; i < result; ++i) {
    const double centre = from + (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(0, nearest(centre - support));
    const int64_t end = std::min(size, nearest(centre + support));
    double sum = 0;
    std::fill(exact.begin(), exact.end(), 0.0);
    for (int64_t k = 0; k < end - first; ++k) {
      const double distance = std::fabs((static_cast<double>(k + first) - centre + 0.5) * (1 / support));
      sum += exact[static_cast<size_t>(k)] = std::max(0.0, 1.0 - distance);
    }
    for (const double weight : exact)
      out.values.push_back(static_cast<int32_t>(nearest((sum != 0 ? weight / sum : 0) * (1 << fraction_bits))));
    out.first.push_back(first);
    out.count.push_back(static_cast<int32_t>(end - first));
  }
  return out;
}

inline uint8_t rounded(int32_t sum) { return static_cast<uint8_t>(std::clamp(sum >> fraction_bits, 0, 255)); }

// Resizes the rows from first to end (exclusive) horizontally.
inline std::vector<uint8_t> resized_across(const Pixels& picture, const Weights& weights, int64_t first, int64_t end) {
  const int64_t channels = picture.channels;
  std::vector<uint8_t> out(weights.first.size() * static_cast<size_t>((end - first) * channels));
  uint8_t* to = out.data();
  for (int64_t y = first; y < end; ++y)
    for (size_t x = 0; x < weights.first.size(); ++x) {
      const uint8_t* from = picture.data + (y * picture.width + weights.first[x]) * channels;
      const int32_t* weight = weights.values.data() + x * weights.most;
      for (int64_t c = 0; c < channels; ++c) {
        int32_t sum = 1 << (fraction_bits - 1);
        for (int32_t k = 0; k < weights.count[x]; ++k) sum += from[k * channels + c] * weight[k];
        *to++ = rounded(sum);
      }
    }
  return out;
}

// Resizes rows of `bytes` bytes vertically. first: the index of the first row in the picture.
inline std::vector<uint8_t> resized_down(const std::vector<uint8_t>& rows, int64_t bytes, const Weights& weights,
                                         int64_t first) {
  std::vector<uint8_t> out;
  out.reserve(weights.first.size() * static_cast<size_t>(bytes));
  std::vector<int32_t> sums(static_cast<size_t>(bytes));
  for (size_t y = 0; y < weights.first.size(); ++y) {
    std::fill(sums.begin(), sums.end(), 1 << (fraction_bits - 1));
    const uint8_t* from = rows.data() + (weights.first[y] - first) * bytes;
    for (int32_t k = 0; k < weights.count[y]; ++k, from += bytes) {
      const int32_t weight = weights.values[y * weights.most + static_cast<size_t>(k)];
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += from[i] * weight;
    }
    for (const int32_t sum : sums) out.push_back(rounded(sum));
  }
  return out;
}

}  // namespace detail_of_resize

// Returns [height][width][channels]. The box must lie within the picture and must not be empty.
inline std::vector<uint8_t> resized(const Pixels& picture, const Box& box, int64_t width, int64_t height) {
  const detail_of_resize::Weights across = detail_of_resize::weights_of(picture.width, box.left, box.right, width);
  const detail_of_resize::Weights down = detail_of_resize::weights_of(picture.height, box.top, box.bottom, height);
  const int64_t first = down.first.front(), end = down.first.back() + down.count.back();
  return detail_of_resize::resized_down(detail_of_resize::resized_across(picture, across, first, end),
                                        width * picture.channels, down, first);
}

}  // namespace levin::images
#pragma GCC visibility pop
