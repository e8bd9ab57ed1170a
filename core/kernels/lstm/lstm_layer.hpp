// One direction of a layer of an LSTM: all steps forward and backward, without autograd.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>

namespace levin::core {

// Floats. input [T, B, I]; hidden and cell before the first step [B, H]; input_weight [4 H, I], hidden_weight
// [4 H, H] and the biases [4 H] in the order input, forget, cell, output gate.
struct LstmLayer {
  at::Tensor input, hidden, cell, input_weight, hidden_weight, input_bias, hidden_bias;
  bool reverse;  // from the last step to the first

  int64_t steps() const { return input.size(0); }
  int64_t batch() const { return input.size(1); }
  int64_t inputs() const { return input.size(2); }
  int64_t width() const { return hidden.size(1); }
};

// Saved for the backward, in the order of computation: the activated gates [T, B, 4 H], the cells and their tanh
// [T, B, H].
struct LstmSaved {
  at::Tensor gates, cells, cell_tanhs;
};
struct LstmOutput {
  at::Tensor output, hidden, cell;  // [T, B, H], [B, H] after the last step
  LstmSaved saved;                  // undefined without `save`
};
LstmOutput lstm_forward(const LstmLayer& layer, bool save);

// Gradients in the order of LstmLayer's members. Those that are not wanted are undefined.
using LstmGradients = std::array<at::Tensor, 7>;
// output, hidden, cell: gradients of LstmOutput's members; undefined = 0.
LstmGradients lstm_backward(const LstmLayer& layer, const LstmSaved& saved, const at::Tensor& output,
                            const at::Tensor& hidden, const at::Tensor& cell, std::array<bool, 7> wanted);

}  // namespace levin::core
