// A table that converts the bytes of an image to numbers.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"
#include "idx_file.hpp"

namespace mnist {

// Returns [channels][256] numbers: (byte / 255 - mean) / deviation. A NaN mean or deviation is replaced by the value of
// each channel, computed from the given rows.
std::vector<float> pixel_table(const IdxArray& images, const std::vector<uint32_t>& rows, const ImageShape& shape,
                               double mean, double deviation);

}  // namespace mnist
