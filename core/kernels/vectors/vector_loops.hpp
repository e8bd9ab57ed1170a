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

struct VectorLoops {
  int64_t panel;  // columns of a panel

  // Copies b [k, n] into panels, padded with zeros: panels_size(k, n) floats.
  void (*pack)(MatrixView b, int64_t k, int64_t n, float* panels);
  // out [m, n] = a [m, k] * b + base, for k <= max_depth. base: nullptr, or rows that are base_row apart (0 = the same
  // row for all). Each number is summed over k in order, so it does not depend on m and n.
  void (*multiply)(int64_t m, int64_t n, int64_t k, MatrixView a, const float* panels, const float* base,
                   int64_t base_row, float* out, int64_t out_row);
  // sums[i] += the sum of column i of rows [n, width], which are contiguous.
  void (*add_columns)(const float* rows, int64_t n, int64_t width, float* sums);

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
