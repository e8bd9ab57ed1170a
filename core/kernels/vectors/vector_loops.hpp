// Loops over the widest vectors of this processor. One source is compiled for AVX2 with FMA and for AVX-512.
#pragma once
#include <cstdint>

namespace levin::core {

// A matrix of floats whose number in row i and column j is at data[i * row + j * column].
struct MatrixView {
  const float* data;
  int64_t row, column;
};

// One step of an LSTM for one sample. Its results are kept for the backward.
struct LstmStep {
  float* gates;           // 4 x hidden: input, forget, cell, output; in: sums, out: activations
  const float* old_cell;  // this and the following: `hidden` numbers each
  float *cell, *cell_tanh, *hidden;
};
struct LstmStepGradients {
  const float *gates, *old_cell, *cell_tanh;  // of the step
  const float* output;                        // gradient of the hidden state as an output; nullptr = 0
  const float* next_hidden;                   // gradient of the hidden state from the next step
  float* cell;                                // gradient of the cell; in: from the next step, out: for the previous one
  float* sums;                                // out: gradients of the gates' sums
};

// Winograd's convolution: images [n, height, width, channels] are cut into tiles of 4x4 pixels, numbered by image, row
// and column. Each tile becomes numbers at 36 places.
struct TileGrid {
  int64_t height, width, channels;  // at most most_tile_channels
  int64_t down, across;             // tiles of an image
  int64_t top, left;                // first pixel of the first tile, which may lie outside the image
};
constexpr int64_t tile_side = 4, tile_places = 36, most_tile_channels = 512;
// Channel c of tile t at place p is at data[p * step + c / group * group_step + t * group + c % group]. A group holds
// whole vectors.
struct PlacesOfTiles {
  float* data;
  int64_t step, group, group_step;
};

struct VectorLoops {
  int64_t panel;  // columns of a panel
  int64_t lanes;  // numbers in a vector

  // Copies b [k, n] into panels, padded with zeros: panels_size(k, n) floats.
  void (*pack)(MatrixView b, int64_t k, int64_t n, float* panels);
  // out [m, n] = a [m, k] * b + base, for k <= max_depth. base: nullptr, or rows that are base_row apart (0 = the same
  // row for all). Each number is summed over k in order, so it does not depend on m and n.
  void (*multiply)(int64_t m, int64_t n, int64_t k, MatrixView a, const float* panels, const float* base,
                   int64_t base_row, float* out, int64_t out_row);
  // sums[i] += the sum of column i of rows [n, width], which are contiguous.
  void (*add_columns)(const float* rows, int64_t n, int64_t width, float* sums);

  // to [columns, rows] = from [rows, columns], transposed.
  void (*transpose)(const float* from, int64_t rows, int64_t columns, float* to);

  // Transforms tiles with a border of 2 pixels to the right and below, of the input.
  void (*winograd_pixels)(const float* images, const TileGrid& grid, int64_t first, int64_t count,
                          const PlacesOfTiles& to);
  // Transforms tiles of the gradient of the result, for the gradient of the weights.
  void (*winograd_gradients)(const float* images, const TileGrid& grid, int64_t first, int64_t count,
                             const PlacesOfTiles& to);
  // Writes pixels of the result, all channels in one group. bias: nullptr, or a number for each channel. Returns false
  // if one of the pixels is not finite: then others of its tile may be wrong.
  bool (*winograd_results)(const PlacesOfTiles& places, const float* bias, const TileGrid& grid, int64_t first,
                           int64_t count, float* images);
  // Transforms 3x3 weights: taps [9, size] to 36 places that are `step` apart. size: a multiple of the vectors.
  void (*winograd_weights)(const float* taps, int64_t size, float* places, int64_t step);
  // The gradient of weights: taps [9, channels] from 36 places that are `step` apart. Returns false as above.
  bool (*winograd_weight_gradients)(const float* places, int64_t step, int64_t channels, float* taps);

  void (*lstm_step)(const LstmStep& step, int64_t hidden);
  void (*lstm_step_gradients)(const LstmStepGradients& step, int64_t hidden);
};

constexpr int64_t max_depth = 256;
inline int64_t panels_size(const VectorLoops& loops, int64_t k, int64_t n) {
  return k * ((n + loops.panel - 1) / loops.panel * loops.panel);
}

// Returns the loops for this processor, or nullptr if it has neither AVX2 nor AVX-512.
const VectorLoops* vector_loops();
// Call these only on a processor that has the instructions.
const VectorLoops* avx2_loops();
const VectorLoops* avx512_loops();

}  // namespace levin::core
