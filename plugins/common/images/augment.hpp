// What the rows of image modules are made by: numbers of bytes, and random crops and flips of one image, determined by
// (seed, epoch, index) alone.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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

// Fetches the beginning of a row into the cache. Rows in random order are far apart, and the processor does not guess
// the next one; within a row it does.
inline void prefetch(const uint8_t* row, size_t size) {
  constexpr size_t line = 64, most = 4096;
  for (size_t at = 0; at < std::min(size, most); at += line) __builtin_prefetch(row + at);
}

// Writes what n bytes become. table: [256]; bytes become themselves.
template <class T>
void write_bytes(const uint8_t* from, int64_t n, const T* table, T* out) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    std::copy_n(from, n, out);
  } else {
#pragma GCC unroll 8
    for (int64_t i = 0; i < n; ++i) out[i] = table[from[i]];
  }
}

// Writes the placed image to `out`. table: [channels][256], what each byte becomes.
template <class T>
void write_placed(const uint8_t* image, const ImageShape& shape, const T* table, const Placement& p, T* out) {
  const int64_t plane = shape.height * shape.width;
  if (p.dy == 0 && p.dx == 0 && !p.flip) {
    for (int64_t c = 0; c < shape.channels; ++c)
      write_bytes(image + c * plane, plane, table + 256 * c, out + c * plane);
    return;
  }
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
      if (p.flip)
        for (int64_t x = from; x < to; ++x) out[x] = table[row[shape.width - 1 - x + p.dx]];
      else
        write_bytes(row + from + p.dx, to - from, table, out + from);
      std::fill(out + to, out + shape.width, table[0]);
    }
}

}  // namespace common
