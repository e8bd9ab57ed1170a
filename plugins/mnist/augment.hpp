// Random crops and flips of one image, determined by (seed, epoch, index) alone.
#pragma once
#include <cstdint>

#include "../common/mixed.hpp"

namespace mnist {

struct ImageShape {
  int64_t channels, height, width;
  int64_t size() const { return channels * height * width; }
};

// The position of the crop in the zero-padded image, and whether it is mirrored.
struct Placement {
  int64_t dy = 0, dx = 0;  // -padding .. padding
  bool flip = false;
};

inline Placement draw_placement(uint64_t seed, int64_t epoch, int64_t index, int64_t padding, bool may_flip) {
  const uint64_t k = common::stream_of(seed, epoch, index);
  const uint64_t choices = 2 * static_cast<uint64_t>(padding) + 1;
  Placement p;
  p.dy = static_cast<int64_t>((k >> 32) % choices) - padding;
  p.dx = static_cast<int64_t>((k & 0xffffffffu) % choices) - padding;
  p.flip = may_flip && (common::mixed(k) & 1) != 0;
  return p;
}

// Writes the placed image to `out`. table: [channels][256], the number for each byte.
inline void write_placed(const uint8_t* image, const ImageShape& shape, const float* table, const Placement& p,
                         float* out) {
  for (int64_t c = 0; c < shape.channels; ++c, table += 256)
    for (int64_t y = 0; y < shape.height; ++y)
      for (int64_t x = 0; x < shape.width; ++x) {
        const int64_t sy = y + p.dy, sx = (p.flip ? shape.width - 1 - x : x) + p.dx;
        const bool inside = sy >= 0 && sy < shape.height && sx >= 0 && sx < shape.width;
        *out++ = table[inside ? image[(c * shape.height + sy) * shape.width + sx] : 0];
      }
}

}  // namespace mnist
