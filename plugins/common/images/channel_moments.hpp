// Mean and deviation of the pixels of each channel.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"

namespace common {

// Replaces each NaN in `mean` and `deviation`, which have one number per channel, by the value of the given rows of
// pixels, [row][channel][y][x], as numbers from 0 to 1.
void fill_in_moments(const std::vector<uint8_t>& pixels, const std::vector<uint32_t>& rows, const ImageShape& shape,
                     std::vector<double>& mean, std::vector<double>& deviation);

}  // namespace common
