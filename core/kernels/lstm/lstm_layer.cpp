#include "core/kernels/lstm/lstm_layer.hpp"

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>

#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/product/blocks.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using at::Tensor;

constexpr int64_t least_step_products = 1 << 19;  // multiplications of a step for which another thread is started
constexpr int64_t chunk_rows = max_depth;         // samples x steps whose gradients of the weights are one product

Tensor new_floats(at::IntArrayRef sizes) { return at::empty(sizes, at::kFloat); }

// Copies n rows of `width` numbers.
void copy_rows(const float* from, int64_t from_row, int64_t n, int64_t width, float* to, int64_t to_row) {
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * to_row, from + i * from_row, static_cast<size_t>(width) * sizeof(float));
}

// Calls f(begin, end) for all samples, on several threads: samples are independent of each other.
template <class F>
void each_samples(const LstmLayer& layer, const F& f) {
  const int64_t products = 4 * layer.width() * (layer.width() + layer.inputs());
  parallel_for(layer.batch(), std::max<int64_t>(1, least_step_products / products), f);
}

// Access to a tensor [T, B, N] with a contiguous last dimension, by the layer's order of steps.
struct LstmSequence {
  LstmSequence(const Tensor& of, bool backwards)
      : data(of.data_ptr<float>()), step(of.stride(0)), sample(of.stride(1)), last(backwards ? of.size(0) - 1 : -1) {}
  float* data;
  int64_t step, sample, last;
  float* at(int64_t t, int64_t b) const { return data + (last < 0 ? t : last - t) * step + b * sample; }
};

struct LstmSizes {
  explicit LstmSizes(const LstmLayer& layer)
      : steps(layer.steps()),
        batch(layer.batch()),
        inputs(layer.inputs()),
        width(layer.width()),
        gates(4 * width),
        both(inputs + width) {}
  int64_t steps, batch, inputs, width, gates, both;
};

}  // namespace

LstmOutput lstm_forward(const LstmLayer& layer, bool save) {
  const VectorLoops& loops = *vector_loops();
  const LstmSizes size(layer);
  const Tensor weights = at::cat({layer.input_weight, layer.hidden_weight}, 1);
  const PackedMatrix packed(loops, {weights.data_ptr<float>(), 1, size.both}, size.both, size.gates);
  const Tensor bias = at::add(layer.input_bias, layer.hidden_bias);
  LstmOutput out;
  out.output = new_floats({size.steps, size.batch, size.width});
  out.hidden = layer.hidden.clone(at::MemoryFormat::Contiguous);
  out.cell = layer.cell.clone(at::MemoryFormat::Contiguous);
  const int64_t saved_steps = save ? size.steps : 1;
  LstmSaved saved{new_floats({saved_steps, size.batch, size.gates}), new_floats({saved_steps, size.batch, size.width}),
                  new_floats({saved_steps, size.batch, size.width})};
  const Tensor both = new_floats({size.batch, size.both});  // input and hidden state of a step
  const LstmSequence input(layer.input, layer.reverse), output(out.output, layer.reverse);
  const LstmSequence gates(saved.gates, false), cells(saved.cells, false), tanhs(saved.cell_tanhs, false);
  const float* const start = layer.hidden.data_ptr<float>();
  float* const last_cell = out.cell.data_ptr<float>();
  each_samples(layer, [&](int64_t begin, int64_t end) {
    float* const in = both.data_ptr<float>() + begin * size.both;
    copy_rows(start + begin * size.width, size.width, end - begin, size.width, in + size.inputs, size.both);
    for (int64_t t = 0; t < size.steps; ++t) {
      const int64_t place = save ? t : 0;
      copy_rows(input.at(t, begin), input.sample, end - begin, size.inputs, in, size.both);
      packed.multiply(end - begin, {in, size.both, 1}, bias.data_ptr<float>(), 0, gates.at(place, begin), size.gates);
      for (int64_t b = begin; b < end; ++b) {
        const float* const old_cell = t > 0 && save ? cells.at(t - 1, b) : last_cell + b * size.width;
        float* const cell = save ? cells.at(t, b) : last_cell + b * size.width;
        float* const hidden = in + (b - begin) * size.both + size.inputs;
        loops.lstm_step({gates.at(place, b), old_cell, cell, tanhs.at(place, b), hidden}, size.width);
        copy_rows(hidden, 0, 1, size.width, output.at(t, b), 0);
      }
    }
    copy_rows(in + size.inputs, size.both, end - begin, size.width, out.hidden.data_ptr<float>() + begin * size.width,
              size.width);
    if (save)
      copy_rows(cells.at(size.steps - 1, begin), size.width, end - begin, size.width, last_cell + begin * size.width,
                size.width);
  });
  if (save) out.saved = saved;
  return out;
}

LstmGradients lstm_backward(const LstmLayer& layer, const LstmSaved& saved, const Tensor& output, const Tensor& hidden,
                            const Tensor& cell, std::array<bool, 7> wanted) {
  const VectorLoops& loops = *vector_loops();
  const LstmSizes size(layer);
  const auto start_of = [&](const Tensor& gradient) {
    return gradient.defined() ? gradient.clone(at::MemoryFormat::Contiguous) : at::zeros({size.batch, size.width});
  };
  const Tensor next_hidden = start_of(hidden), cell_gradients = start_of(cell);
  const Tensor given = output.defined() ? (output.stride(2) == 1 ? output : output.contiguous()) : Tensor();
  const bool for_input = wanted[0], for_weights = wanted[3] || wanted[4], for_bias = wanted[5] || wanted[6];

  // One product computes the gradients of a step's input and of its hidden state.
  const int64_t from = for_input ? 0 : size.inputs;
  const Tensor weights = for_input ? at::cat({layer.input_weight, layer.hidden_weight}, 1) : layer.hidden_weight;
  const int64_t columns = size.both - from;
  const PackedMatrix packed(loops, matrix_of(weights), size.gates, columns);
  const Tensor step_gradients = new_floats({size.batch, columns});
  const Tensor input_gradients = for_input ? new_floats({size.steps, size.batch, size.inputs}) : Tensor();

  const int64_t chunk = std::max<int64_t>(1, std::min(size.steps, chunk_rows / size.batch));
  const Tensor sums = new_floats({chunk, size.batch, size.gates});
  const Tensor both = for_weights ? new_floats({chunk, size.batch, size.both}) : Tensor();
  const Tensor weight_gradients = for_weights ? new_floats({size.gates, size.both}) : Tensor();
  const Tensor bias_gradients = for_bias ? at::zeros({size.gates}, at::kFloat) : Tensor();

  const LstmSequence input(layer.input, layer.reverse);
  const LstmSequence gates(saved.gates, false), cells(saved.cells, false), tanhs(saved.cell_tanhs, false);
  const float *const first_hidden = layer.hidden.data_ptr<float>(), *const first_cell = layer.cell.data_ptr<float>();
  float *const for_hidden = next_hidden.data_ptr<float>(), *const for_cell = cell_gradients.data_ptr<float>();
  bool fresh = true;
  for (int64_t end_step = size.steps; end_step > 0;) {
    const int64_t begin_step = std::max<int64_t>(0, end_step - chunk);
    each_samples(layer, [&](int64_t begin, int64_t end) {
      float* const step = step_gradients.data_ptr<float>() + begin * columns;
      for (int64_t t = end_step - 1; t >= begin_step; --t) {
        float* const of_gates = sums.data_ptr<float>() + ((t - begin_step) * size.batch + begin) * size.gates;
        for (int64_t b = begin; b < end; ++b) {
          const float* const old_cell = t > 0 ? cells.at(t - 1, b) : first_cell + b * size.width;
          const float* const outside = given.defined() ? LstmSequence(given, layer.reverse).at(t, b) : nullptr;
          loops.lstm_step_gradients({gates.at(t, b), old_cell, tanhs.at(t, b), outside, for_hidden + b * size.width,
                                     for_cell + b * size.width, of_gates + (b - begin) * size.gates},
                                    size.width);
        }
        packed.multiply(end - begin, {of_gates, size.gates, 1}, nullptr, 0, step, columns);
        copy_rows(step + size.inputs - from, columns, end - begin, size.width, for_hidden + begin * size.width,
                  size.width);
        if (for_input)
          copy_rows(step, columns, end - begin, size.inputs, LstmSequence(input_gradients, layer.reverse).at(t, begin),
                    size.inputs);
        if (!for_weights) continue;
        float* const in = both.data_ptr<float>() + ((t - begin_step) * size.batch + begin) * size.both;
        copy_rows(input.at(t, begin), input.sample, end - begin, size.inputs, in, size.both);
        for (int64_t b = begin; b < end; ++b) {
          float* const to = in + (b - begin) * size.both + size.inputs;
          if (t == 0) {
            copy_rows(first_hidden + b * size.width, 0, 1, size.width, to, 0);
          } else {
            const float *const out_gate = gates.at(t - 1, b) + 3 * size.width, *const cell_tanh = tanhs.at(t - 1, b);
            for (int64_t i = 0; i < size.width; ++i) to[i] = out_gate[i] * cell_tanh[i];
          }
        }
      }
    });
    const int64_t rows = (end_step - begin_step) * size.batch;
    float* const of_gates = sums.data_ptr<float>();
    if (for_weights) {
      float* const to = weight_gradients.data_ptr<float>();
      multiply(loops, size.gates, size.both, rows, {of_gates, 1, size.gates}, {both.data_ptr<float>(), size.both, 1},
               fresh ? nullptr : to, size.both, to);
    }
    if (for_bias) loops.add_columns(of_gates, rows, size.gates, bias_gradients.data_ptr<float>());
    fresh = false;
    end_step = begin_step;
  }

  LstmGradients out;
  if (wanted[0]) out[0] = input_gradients;
  if (wanted[1]) out[1] = next_hidden;
  if (wanted[2]) out[2] = cell_gradients;
  if (wanted[3]) out[3] = weight_gradients.narrow(1, 0, size.inputs).contiguous();
  if (wanted[4]) out[4] = weight_gradients.narrow(1, size.inputs, size.width).contiguous();
  if (wanted[5]) out[5] = bias_gradients;
  if (wanted[6]) out[6] = wanted[5] ? bias_gradients.clone() : bias_gradients;
  return out;
}

}  // namespace levin::core
