// Products of matrices: tiles of `tile_rows` x 2 vectors, kept in registers over k.
#pragma once
#include <array>
#include <utility>

#include "core/kernels/vectors/vector_loops.hpp"
#include "core/kernels/vectors/vectors.hpp"

namespace levin::core {
namespace {

// AVX-512 has 32 registers, AVX2 has 16.
constexpr int64_t panel = 2 * lanes, tile_rows = vector_bytes == 64 ? 12 : 6;

template <int rows>
LEVIN_LOCAL void tile_of(int64_t k, MatrixView a, const float* __restrict b, const float* base, int64_t base_row,
                         float* out, int64_t out_row) {
  V sums[rows][2];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = V{};
  for (int64_t i = 0; i < k; ++i, b += panel, a.data += a.column) {
    const V left = load(b), right = load(b + lanes);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const float x = a.data[r * a.row];
      sums[r][0] += left * x;
      sums[r][1] += right * x;
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
    if (base) {
      sums[r][0] += load(base + r * base_row);
      sums[r][1] += load(base + r * base_row + lanes);
    }
    store(out + r * out_row, sums[r][0]);
    store(out + r * out_row + lanes, sums[r][1]);
  }
}

using Tile = void (*)(int64_t k, MatrixView a, const float* b, const float* base, int64_t base_row, float* out,
                      int64_t out_row);
// The code for a stride of 1 is faster if the compiler knows the stride.
template <int rows>
void tile(int64_t k, MatrixView a, const float* b, const float* base, int64_t base_row, float* out, int64_t out_row) {
  if (a.column == 1)
    tile_of<rows>(k, {a.data, a.row, 1}, b, base, base_row, out, out_row);
  else if (a.row == 1 && a.column == rows)
    tile_of<rows>(k, {a.data, 1, rows}, b, base, base_row, out, out_row);
  else
    tile_of<rows>(k, a, b, base, base_row, out, out_row);
}
template <int... rows>
constexpr std::array<Tile, sizeof...(rows)> tiles_of(std::integer_sequence<int, rows...>) {
  return {tile<rows + 1>...};
}
// tiles[n - 1] is the code for n rows.
constexpr auto tiles = tiles_of(std::make_integer_sequence<int, tile_rows>());

typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));
LEVIN_LOCAL Four load_four(const float* from) { return *reinterpret_cast<const Four*>(from); }
// to[i * to_row + j] = from[j * column + i] for 4 x 4 numbers
LEVIN_LOCAL void transpose_four(const float* from, int64_t column, float* to, int64_t to_row) {
  const Four a = load_four(from), b = load_four(from + column), c = load_four(from + 2 * column),
             d = load_four(from + 3 * column);
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const auto put = [&](int64_t i, Four row) { *reinterpret_cast<Four*>(to + i * to_row) = row; };
  put(0, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  put(1, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  put(2, __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
  put(3, __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
}

void transpose(const float* from, int64_t rows, int64_t columns, float* to) {
  const auto part = [&](int64_t top, int64_t left) {
    if (top + 4 <= rows && left + 4 <= columns)
      return transpose_four(from + top * columns + left, columns, to + left * rows + top, rows);
    for (int64_t r = top; r < rows && r < top + 4; ++r)
      for (int64_t c = left; c < columns && c < left + 4; ++c) to[c * rows + r] = from[r * columns + c];
  };
  constexpr int64_t block = 32;  // a block of both matrices stays in the cache
  for (int64_t top = 0; top < rows; top += block)
    for (int64_t left = 0; left < columns; left += block) {
      const int64_t bottom = top + block < rows ? top + block : rows;
      const int64_t right = left + block < columns ? left + block : columns;
      if (rows > columns)  // few lines that lie far apart at a time: they share places of the cache
        for (int64_t c = left; c < right; c += 4)
          for (int64_t r = top; r < bottom; r += 4) part(r, c);
      else
        for (int64_t r = top; r < bottom; r += 4)
          for (int64_t c = left; c < right; c += 4) part(r, c);
    }
}

void pack(MatrixView b, int64_t k, int64_t n, float* panels) {
  for (int64_t at = 0; at < n; at += panel, panels += k * panel) {
    const int64_t width = n - at < panel ? n - at : panel;
    const float* const from = b.data + at * b.column;
    int64_t i = 0;
    if (b.column == 1 && width == panel)
      for (; i < k; ++i) {
        store(panels + i * panel, load(from + i * b.row));
        store(panels + i * panel + lanes, load(from + i * b.row + lanes));
      }
    else if (b.row == 1 && width == panel)
      for (; i + 4 <= k; i += 4)
        for (int64_t j = 0; j < panel; j += 4)
          transpose_four(from + j * b.column + i, b.column, panels + i * panel + j, panel);
    for (; i < k; ++i)
      for (int64_t j = 0; j < panel; ++j) panels[i * panel + j] = j < width ? from[i * b.row + j * b.column] : 0;
  }
}

// Copies a transposed a: `rows` numbers of each column, one column after another.
template <int rows>
void gather(MatrixView a, int64_t k, float* out) {
  for (int64_t i = 0; i < k; ++i) __builtin_memcpy(out + i * rows, a.data + i * a.column, rows * sizeof(float));
}
using Gather = void (*)(MatrixView a, int64_t k, float* out);
template <int... rows>
constexpr std::array<Gather, sizeof...(rows)> gathers_of(std::integer_sequence<int, rows...>) {
  return {gather<rows + 1>...};
}
constexpr auto gathers = gathers_of(std::make_integer_sequence<int, tile_rows>());

void multiply_tile(int64_t rows, int64_t columns, int64_t k, MatrixView a, const float* b, const float* base,
                   int64_t base_row, float* out, int64_t out_row) {
  if (columns == panel) return tiles[rows - 1](k, a, b, base, base_row, out, out_row);
  float wide[tile_rows * panel];
  tiles[rows - 1](k, a, b, nullptr, 0, wide, panel);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < columns; ++j)
      out[r * out_row + j] = wide[r * panel + j] + (base ? base[r * base_row + j] : 0);
}

void multiply(int64_t m, int64_t n, int64_t k, MatrixView a, const float* panels, const float* base, int64_t base_row,
              float* out, int64_t out_row) {
  const int64_t count = (m + tile_rows - 1) / tile_rows, height = m / count, taller = m % count;
  const auto begin = [&](int64_t index) { return index * height + (index < taller ? index : taller); };
  const auto one = [&](int64_t index, MatrixView of, int64_t j) {
    const int64_t at = begin(index), rows = begin(index + 1) - at;
    multiply_tile(rows, n - j < panel ? n - j : panel, k, of, panels + j * k, base ? base + at * base_row + j : nullptr,
                  base_row, out + at * out_row + j, out_row);
  };
  const bool transposed = a.column != 1 && a.row == 1 && n > panel;
  if (!transposed && m * k <= 32 * max_depth) {  // a stays in the cache
    for (int64_t j = 0; j < n; j += panel)
      for (int64_t index = 0; index < count; ++index) one(index, {a.data + begin(index) * a.row, a.row, a.column}, j);
    return;
  }
  float columns[tile_rows * max_depth];
  for (int64_t index = 0; index < count; ++index) {
    const int64_t rows = begin(index + 1) - begin(index);
    MatrixView of{a.data + begin(index) * a.row, a.row, a.column};
    if (transposed) {
      gathers[rows - 1](of, k, columns);
      of = {columns, 1, rows};
    }
    for (int64_t j = 0; j < n; j += panel) one(index, of, j);
  }
}

void add_columns(const float* rows, int64_t n, int64_t width, float* sums) {
  for (int64_t r = 0; r < n; ++r, rows += width)
    each_vector(width,
                [&](int64_t i, auto some) { write(sums + i, some, read(sums + i, some) + read(rows + i, some)); });
}

}  // namespace
}  // namespace levin::core
