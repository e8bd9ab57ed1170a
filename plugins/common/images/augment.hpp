// Random crops and flips of one image, determined by (seed, epoch, index) alone.
#pragma once
#include <algorithm>
#include <cstdint>

#include "../mixed.hpp"
#include "levin/images/image.hpp"

namespace common {

using ImageShape = levin::images::Shape;

// The position of the crop in the zero-padded image, and whether it is mirrored.
struct Placement {
  int64_t dy = 0, dx = 0;  // -padding .. padding
  bool flip = false;
};

inline Placement draw_placement(uint64_t seed, int64_t epoch, int64_t index, int64_t padding, bool may_flip) {
  const uint64_t k = stream_of(seed, epoch, index);
  const uint64_t choices = 2 * static_cast<uint64_t>(padding) + 1;
  Placement p;
  p.dy = static_cast<int64_t>((k >> 32) % choices) - padding;
  p.dx = static_cast<int64_t>((k & 0xffffffffu) % choices) - padding;
  p.flip = may_flip && (mixed(k) & 1) != 0;
  return p;
}

// Writes the placed image to `out`. table: [channels][256], what each byte becomes.
template <class T>
void write_placed(const uint8_t* image, const ImageShape& shape, const T* table, const Placement& p, T* out) {
  // The columns of the result that show the image; the others show the padding.
  const int64_t left = p.flip ? p.dx : -p.dx;
  const int64_t begin = std::clamp<int64_t>(left, 0, shape.width);
  const int64_t end = std::clamp<int64_t>(left + shape.width, 0, shape.width);
  for (int64_t c = 0; c < shape.channels; ++c, table += 256)
    for (int64_t y = 0; y < shape.height; ++y, out += shape.width) {
      const int64_t sy = y + p.dy;
      const bool inside = sy >= 0 && sy < shape.height && begin < end;
      const int64_t from = inside ? begin : 0, to = inside ? end : 0;
      const uint8_t* row = image + (c * shape.height + (inside ? sy : 0)) * shape.width;
      std::fill(out, out + from, table[0]);
      for (int64_t x = from; x < to; ++x) out[x] = table[row[p.flip ? shape.width - 1 - x + p.dx : x + p.dx]];
      std::fill(out + to, out + shape.width, table[0]);
    }
}

}  // namespace common
