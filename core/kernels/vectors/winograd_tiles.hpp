// Winograd's transforms for 3x3 convolutions, F(4x4, 3x3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks" (2015): a tile of 6x6 pixels and 3x3 weights become 36 numbers each, and their products 4x4 pixels.
#pragma once
#include "core/kernels/vectors/vector_loops.hpp"
#include "core/kernels/vectors/vectors.hpp"

namespace levin::core {
namespace {

// One dimension of the transforms.
struct Winograd {
  LEVIN_LOCAL static void input(const V* x, V* y) {
    const V a = x[4] - x[2] * 4.0F, b = x[3] - x[1] * 4.0F, c = x[4] - x[2], d = (x[3] - x[1]) * 2.0F;
    y[0] = x[0] * 4.0F - x[2] * 5.0F + x[4];
    y[1] = a + b;
    y[2] = a - b;
    y[3] = c + d;
    y[4] = c - d;
    y[5] = x[1] * 4.0F - x[3] * 5.0F + x[5];
  }
  LEVIN_LOCAL static void output(const V* x, V* y) {
    const V a = x[1] + x[2], b = x[1] - x[2], c = x[3] + x[4], d = x[3] - x[4];
    y[0] = x[0] + a + c;
    y[1] = b + d * 2.0F;
    y[2] = a + c * 4.0F;
    y[3] = b + d * 8.0F + x[5];
  }
  LEVIN_LOCAL static void output_adjoint(const V* x, V* y) {
    const V a = x[0] + x[2], b = x[1] + x[3], c = x[0] + x[2] * 4.0F, d = x[1] * 2.0F + x[3] * 8.0F;
    y[0] = x[0];
    y[1] = a + b;
    y[2] = a - b;
    y[3] = c + d;
    y[4] = c - d;
    y[5] = x[3];
  }
  LEVIN_LOCAL static void weight(const V* x, V* y) {
    const V a = (x[0] + x[2]) * (-1.0F / 6), b = x[1] * (1.0F / 6), c = x[0] * (1.0F / 24) + x[2] * (1.0F / 6),
            d = x[1] * (1.0F / 12);
    y[0] = x[0] * 0.25F;
    y[1] = a - b;
    y[2] = a + b;
    y[3] = c + d;
    y[4] = c - d;
    y[5] = x[2];
  }
  LEVIN_LOCAL static void weight_adjoint(const V* x, V* y) {
    const V a = (x[1] + x[2]) * (-1.0F / 6), b = (x[2] - x[1]) * (1.0F / 6), c = x[3] + x[4];
    y[0] = x[0] * 0.25F + a + c * (1.0F / 24);
    y[1] = b + (x[3] - x[4]) * (1.0F / 12);
    y[2] = a + c * (1.0F / 6) + x[5];
  }
};

// to[i][j] = the transform of the columns and the rows of from[i][j].
template <int in, int out, void (*transform)(const V*, V*)>
LEVIN_LOCAL void both_ways(const V (&from)[in][in], V (&to)[out][out]) {
  V half[in][out];  // transposed: half[column][row]
#pragma GCC unroll 8
  for (int j = 0; j < in; ++j) {
    V column[in];
#pragma GCC unroll 8
    for (int i = 0; i < in; ++i) column[i] = from[i][j];
    transform(column, half[j]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < out; ++i) {
    V row[in];
#pragma GCC unroll 8
    for (int j = 0; j < in; ++j) row[j] = half[j][i];
    transform(row, to[i]);
  }
}

// Row, column and image of a tile.
struct TilePlace {
  TilePlace(const TileGrid& grid, int64_t tile)
      : image(tile / (grid.down * grid.across)),
        row(tile / grid.across % grid.down * tile_side + grid.top),
        column(tile % grid.across * tile_side + grid.left) {}
  int64_t image, row, column;
};

// Transforms `in` x `in` pixels from the first pixel of each tile on. Pixels outside the image are 0.
template <int in, void (*transform)(const V*, V*)>
void transform_tiles(const float* images, const TileGrid& grid, int64_t first, int64_t count, const PlacesOfTiles& to) {
  static const float zeros[most_tile_channels] = {};
  for (int64_t t = 0; t < count; ++t) {
    const TilePlace at(grid, first + t);
    const float* pixels[in][in];
    for (int64_t i = 0; i < in; ++i)
      for (int64_t j = 0; j < in; ++j) {
        const int64_t row = at.row + i, column = at.column + j;
        const bool inside = row >= 0 && row < grid.height && column >= 0 && column < grid.width;
        pixels[i][j] = inside ? images + ((at.image * grid.height + row) * grid.width + column) * grid.channels : zeros;
      }
    each_vector(grid.channels, [&](int64_t c, auto some) {
      V from[in][in], places[6][6];
#pragma GCC unroll 8
      for (int i = 0; i < in; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < in; ++j) from[i][j] = read(pixels[i][j] + c, some);
      both_ways<in, 6, transform>(from, places);
      float* const out = to.data + c / to.group * to.group_step + t * to.group + c % to.group;
#pragma GCC unroll 8
      for (int i = 0; i < 6; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < 6; ++j) store(out + (i * 6 + j) * to.step, places[i][j]);
    });
  }
}
void winograd_pixels(const float* images, const TileGrid& grid, int64_t first, int64_t count, const PlacesOfTiles& to) {
  transform_tiles<6, Winograd::input>(images, grid, first, count, to);
}
void winograd_gradients(const float* images, const TileGrid& grid, int64_t first, int64_t count,
                        const PlacesOfTiles& to) {
  transform_tiles<4, Winograd::output_adjoint>(images, grid, first, count, to);
}

// 0 for finite numbers, NaN for others.
LEVIN_LOCAL V nothing_of(V x) { return x * 0.0F; }
LEVIN_LOCAL bool is_zero(V x) {
  for (int64_t i = 0; i < lanes; ++i)
    if (!(x[i] == 0)) return false;
  return true;
}

bool winograd_results(const PlacesOfTiles& places, const float* bias, const TileGrid& grid, int64_t first,
                      int64_t count, float* images) {
  V odd = V{};
  for (int64_t t = 0; t < count; ++t) {
    const TilePlace at(grid, first + t);
    const int64_t rows = grid.height - at.row < 4 ? grid.height - at.row : 4;
    const int64_t columns = grid.width - at.column < 4 ? grid.width - at.column : 4;
    float* const to = images + ((at.image * grid.height + at.row) * grid.width + at.column) * grid.channels;
    each_vector(grid.channels, [&](int64_t c, auto some) {
      V from[6][6], pixels[4][4];
#pragma GCC unroll 8
      for (int i = 0; i < 6; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < 6; ++j)
          from[i][j] = read(places.data + (i * 6 + j) * places.step + t * places.group + c, some);
      both_ways<6, 4, Winograd::output>(from, pixels);
      const V more = bias ? read(bias + c, some) : V{};
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          write(to + (i * grid.width + j) * grid.channels + c, some, pixels[i][j] + more);
          odd += nothing_of(pixels[i][j]);
        }
    });
  }
  return is_zero(odd);
}

void winograd_weights(const float* taps, int64_t size, float* places, int64_t step) {
  for (int64_t at = 0; at < size; at += lanes) {
    V from[3][3], to[6][6];
#pragma GCC unroll 8
    for (int i = 0; i < 3; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < 3; ++j) from[i][j] = load(taps + (i * 3 + j) * size + at);
    both_ways<3, 6, Winograd::weight>(from, to);
#pragma GCC unroll 8
    for (int i = 0; i < 6; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < 6; ++j) store(places + (i * 6 + j) * step + at, to[i][j]);
  }
}

bool winograd_weight_gradients(const float* places, int64_t step, int64_t channels, float* taps) {
  V odd = V{};
  each_vector(channels, [&](int64_t c, auto some) {
    V from[6][6], to[3][3];
#pragma GCC unroll 8
    for (int i = 0; i < 6; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < 6; ++j) from[i][j] = read(places + (i * 6 + j) * step + c, some);
    both_ways<6, 3, Winograd::weight_adjoint>(from, to);
#pragma GCC unroll 8
    for (int i = 0; i < 3; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < 3; ++j) {
        write(taps + (i * 3 + j) * channels + c, some, to[i][j]);
        odd += nothing_of(to[i][j]);
      }
  });
  return is_zero(odd);
}

}  // namespace
}  // namespace levin::core
