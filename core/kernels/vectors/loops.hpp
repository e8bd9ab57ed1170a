// The table of loops of the including file.
#pragma once
#include "core/kernels/vectors/lstm_steps.hpp"
#include "core/kernels/vectors/products.hpp"
#include "core/kernels/vectors/winograd_tiles.hpp"

namespace levin::core {
namespace {

constexpr VectorLoops loops = {panel,
                               lanes,
                               pack,
                               multiply,
                               add_columns,
                               transpose,
                               winograd_pixels,
                               winograd_gradients,
                               winograd_results,
                               winograd_weights,
                               winograd_weight_gradients,
                               lstm_step,
                               lstm_step_gradients};

}  // namespace
}  // namespace levin::core
