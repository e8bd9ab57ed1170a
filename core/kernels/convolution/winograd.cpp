#include "core/kernels/convolution/winograd.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using at::IntArrayRef;
using at::Tensor;

// For each number of a vector. Wider vectors make oneDNN's products faster, but not the transforms.
constexpr int64_t fewest_channels = 2;
constexpr int64_t fewest_pixels = 32;  // of all images, because the weights are transformed in each call

constexpr double smallest_use = 0.5;       // pixels of the result in a pixel of the tiles
constexpr int64_t block_floats = 1 << 17;  // of the places of a block of tiles, for the cache of a core

int64_t rounded_up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }
int64_t quotient_up(int64_t value, int64_t by) { return (value + by - 1) / by; }

// Memory that a thread keeps for the next call.
enum class Use { weights, inputs, results, taps };
float* kept_floats(Use use, int64_t size) {
  static thread_local std::vector<float> kept[4];
  std::vector<float>& floats = kept[static_cast<int>(use)];
  if (static_cast<int64_t>(floats.size()) < size) floats.resize(static_cast<size_t>(size));
  return floats.data();
}

int64_t tiles_of_image(IntArrayRef sizes) {
  return quotient_up(sizes[2], tile_side) * quotient_up(sizes[3], tile_side);
}
// The tiles of images of these sizes that give the pixels of `result`, from pixel (-top, -left) on.
TileGrid grid_of(IntArrayRef images, IntArrayRef result, int64_t top, int64_t left) {
  return {images[2], images[3], images[1], quotient_up(result[2], tile_side), quotient_up(result[3], tile_side),
          -top,      -left};
}

// Weights of a convolution from `in` to `out` channels: a tap is a matrix [in, out], and taps are `tap` numbers apart.
struct Taps {
  MatrixView first;
  int64_t tap, in, out;
};
// Returns the 36 places, each with the panels of a matrix [in, out].
const float* transformed(const Taps& taps, const VectorLoops& loops) {
  const int64_t panel = taps.in * loops.panel, step = panels_size(loops, taps.in, taps.out);
  float* const places = kept_floats(Use::weights, tile_places * step);
  parallel_for(step / panel, quotient_up(1 << 15, panel), [&](int64_t begin, int64_t end) {
    float* const packed = kept_floats(Use::taps, 9 * panel);
    for (int64_t at = begin; at < end; ++at) {
      const int64_t column = at * loops.panel, columns = std::min(loops.panel, taps.out - column);
      for (int tap = 0; tap < 9; ++tap) {
        MatrixView matrix = taps.first;
        matrix.data += tap * taps.tap + column * matrix.column;
        loops.pack(matrix, taps.in, columns, packed + tap * panel);
      }
      loops.winograd_weights(packed, panel, places + at * panel, step);
    }
  });
  return places;
}

// Images [n, out channels] = images [n, in channels] convolved with taps.
bool convolve(IntArrayRef from_sizes, const float* from, const Taps& taps, const float* bias, IntArrayRef to_sizes,
              int64_t top, int64_t left, float* to) {
  const VectorLoops& loops = *vector_loops();
  const float* const weights = transformed(taps, loops);
  const int64_t weight_step = panels_size(loops, taps.in, taps.out);
  const TileGrid in = grid_of(from_sizes, to_sizes, top, left), out = grid_of(to_sizes, to_sizes, 0, 0);
  const int64_t in_width = rounded_up(taps.in, loops.lanes), out_width = rounded_up(taps.out, loops.lanes);
  const int64_t tiles = from_sizes[0] * in.down * in.across, threads = at::get_num_threads();
  const int64_t blocks = rounded_up(quotient_up(tiles * tile_places * (in_width + out_width), block_floats), threads);
  const int64_t block = quotient_up(tiles, blocks);
  std::atomic<bool> finite{true};
  parallel_for(quotient_up(tiles, block), 1, [&](int64_t begin, int64_t end) {
    const PlacesOfTiles pixels{kept_floats(Use::inputs, tile_places * block * in_width), block * in_width, in_width, 0};
    const PlacesOfTiles results{kept_floats(Use::results, tile_places * block * out_width), block * out_width,
                                out_width, 0};
    for (int64_t at = begin; at < end; ++at) {
      const int64_t first = at * block, count = std::min(block, tiles - first);
      loops.winograd_pixels(from, in, first, count, pixels);
      for (int64_t place = 0; place < tile_places; ++place)
        loops.multiply(count, taps.out, taps.in, {pixels.data + place * pixels.step, in_width, 1},
                       weights + place * weight_step, nullptr, 0, results.data + place * results.step, out_width);
      if (!loops.winograd_results(results, bias, out, first, count, to)) finite = false;
    }
  });
  return finite;
}

}  // namespace

bool is_fast_by_winograd(const Convolution3x3& sizes) {
  const int64_t channels = sizes.input[1], out_channels = sizes.output[1], pixels = sizes.output[2] * sizes.output[3];
  const double use = static_cast<double>(pixels) / static_cast<double>(tiles_of_image(sizes.output) * 16);
  const int64_t lanes = vector_loops()->lanes;
  return std::min(channels, out_channels) >= fewest_channels * lanes &&
         std::max(channels, out_channels) <= most_tile_channels && use >= smallest_use &&
         sizes.output[0] * pixels >= fewest_pixels * lanes;
}

bool winograd_output(const Convolution3x3& sizes, const Tensor& input, const Tensor& weight, const Tensor& bias,
                     const Tensor& output) {
  const int64_t in = sizes.input[1], out = sizes.output[1];
  return convolve(sizes.input, input.data_ptr<float>(), {{weight.data_ptr<float>(), 1, 9 * in}, in, in, out},
                  bias.defined() ? bias.data_ptr<float>() : nullptr, sizes.output, sizes.top, sizes.left,
                  output.data_ptr<float>());
}

// The gradient of the input is a convolution of the result's with the weights turned by half a turn.
bool winograd_input_gradient(const Convolution3x3& sizes, const Tensor& gradient, const Tensor& weight,
                             const Tensor& input_gradient) {
  const int64_t in = sizes.input[1], out = sizes.output[1];
  return convolve(sizes.output, gradient.data_ptr<float>(),
                  {{weight.data_ptr<float>() + 8 * in, 9 * in, 1}, -in, out, in}, nullptr, sizes.input, 2 - sizes.top,
                  2 - sizes.left, input_gradient.data_ptr<float>());
}

// Each place is a product over all tiles, [out, tiles] * [tiles, in].
bool winograd_weight_gradient(const Convolution3x3& sizes, const Tensor& gradient, const Tensor& input,
                              const Tensor& weight_gradient) {
  const VectorLoops& loops = *vector_loops();
  const int64_t in = sizes.input[1], out = sizes.output[1];
  const TileGrid in_grid = grid_of(sizes.input, sizes.output, sizes.top, sizes.left);
  const TileGrid out_grid = grid_of(sizes.output, sizes.output, 0, 0);
  const int64_t in_width = rounded_up(in, loops.panel), out_width = rounded_up(out, loops.lanes);
  const int64_t tiles = sizes.input[0] * in_grid.down * in_grid.across;
  const int64_t fitting = 2 * block_floats / (tile_places * (in_width + out_width));
  const int64_t block = std::min({tiles, max_depth, std::max<int64_t>(64, fitting)});
  float* const inputs = kept_floats(Use::inputs, tile_places * block * in_width);
  float* const gradients = kept_floats(Use::results, tile_places * block * out_width);
  float* const sums = kept_floats(Use::weights, tile_places * out * in_width);
  for (int64_t first = 0; first < tiles; first += block) {
    const int64_t count = std::min(block, tiles - first);
    const PlacesOfTiles pixels{inputs, block * in_width, loops.panel, count * loops.panel};
    const PlacesOfTiles results{gradients, block * out_width, out_width, 0};
    parallel_for(count, 16, [&](int64_t begin, int64_t end) {
      PlacesOfTiles to = pixels;
      to.data += begin * to.group;
      loops.winograd_pixels(input.data_ptr<float>(), in_grid, first + begin, end - begin, to);
      to = results;
      to.data += begin * to.group;
      loops.winograd_gradients(gradient.data_ptr<float>(), out_grid, first + begin, end - begin, to);
    });
    parallel_for(tile_places, 1, [&](int64_t begin, int64_t end) {
      for (int64_t place = begin; place < end; ++place) {
        float* const sum = sums + place * out * in_width;
        loops.multiply(out, in, count, {results.data + place * results.step, 1, out_width},
                       pixels.data + place * pixels.step, first ? sum : nullptr, in_width, sum, in_width);
      }
    });
  }
  std::atomic<bool> finite{true};
  parallel_for(out, quotient_up(1 << 12, in), [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      if (!loops.winograd_weight_gradients(sums + k * in_width, out * in_width, in,
                                           weight_gradient.data_ptr<float>() + k * 9 * in))
        finite = false;
  });
  return finite;
}

}  // namespace levin::core
