// The table of loops of the including file.
#pragma once
#include "core/kernels/vectors/lstm_steps.hpp"
#include "core/kernels/vectors/products.hpp"

namespace levin::core {
namespace {

constexpr VectorLoops loops = {panel, pack, multiply, add_columns, lstm_step, lstm_step_gradients};

}  // namespace
}  // namespace levin::core
