// A table that converts the bytes of an image to numbers.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"

namespace common {

// Returns [channels][256] numbers: (byte / 255 - mean) / deviation, with one mean and deviation per channel. NaN is
// replaced by the value computed from the given rows of pixels, [row][channel][y][x].
std::vector<float> pixel_table(const std::vector<uint8_t>& pixels, const std::vector<uint32_t>& rows,
                               const ImageShape& shape, const std::vector<double>& mean,
                               const std::vector<double>& deviation);

}  // namespace common
