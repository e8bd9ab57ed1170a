// The steps of an LSTM.
#pragma once
#include "core/kernels/vectors/vector_loops.hpp"
#include "core/kernels/vectors/vectors.hpp"

namespace levin::core {
namespace {

void lstm_step(const LstmStep& step, int64_t hidden) {
  each_vector(hidden, [&](int64_t at, auto n) {
    float* const gates = step.gates + at;
    const V in = sigmoid(read(gates, n)), forget = sigmoid(read(gates + hidden, n));
    const V candidate = hyperbolic_tangent(read(gates + 2 * hidden, n)), out = sigmoid(read(gates + 3 * hidden, n));
    const V cell = forget * read(step.old_cell + at, n) + in * candidate, cell_tanh = hyperbolic_tangent(cell);
    write(gates, n, in);
    write(gates + hidden, n, forget);
    write(gates + 2 * hidden, n, candidate);
    write(gates + 3 * hidden, n, out);
    write(step.cell + at, n, cell);
    write(step.cell_tanh + at, n, cell_tanh);
    write(step.hidden + at, n, out * cell_tanh);
  });
}

void lstm_step_gradients(const LstmStepGradients& step, int64_t hidden) {
  each_vector(hidden, [&](int64_t at, auto n) {
    const float* const gates = step.gates + at;
    const V in = read(gates, n), forget = read(gates + hidden, n);
    const V candidate = read(gates + 2 * hidden, n), out = read(gates + 3 * hidden, n);
    const V cell_tanh = read(step.cell_tanh + at, n);
    V hidden_gradient = read(step.next_hidden + at, n);
    if (step.output) hidden_gradient += read(step.output + at, n);
    const V cell = read(step.cell + at, n) + hidden_gradient * out * (1.0F - cell_tanh * cell_tanh);
    write(step.sums + at, n, cell * candidate * in * (1.0F - in));
    write(step.sums + hidden + at, n, cell * read(step.old_cell + at, n) * forget * (1.0F - forget));
    write(step.sums + 2 * hidden + at, n, cell * in * (1.0F - candidate * candidate));
    write(step.sums + 3 * hidden + at, n, hidden_gradient * cell_tanh * out * (1.0F - out));
    write(step.cell + at, n, cell * forget);
  });
}

}  // namespace
}  // namespace levin::core
