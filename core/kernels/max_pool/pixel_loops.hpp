// The loops of max pooling over pixels: all channels of a place of an image.
#pragma once
#include <cstdint>

#include "core/kernels/max_pool/max_pool_rows.hpp"

namespace levin::core {

// Windows of 2x2 or 3x3 elements are fast.
bool is_fast_window(const PoolAxis& rows, const PoolAxis& columns);

// Pools images in channels-last order until out ends; in_end is the end of the last image of the tensor. Writes the
// greatest number of each window and its position in the plane, as LibTorch does: of equal numbers the first, and the
// last NaN.
void pool_pixels(const PoolAxis& rows, const PoolAxis& columns, int64_t channels, const float* in, const float* in_end,
                 float* out, const float* out_end, int64_t* positions);

}  // namespace levin::core
