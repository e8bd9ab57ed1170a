// The number that each byte of an image becomes.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"
#include "idx_file.hpp"

namespace mnist {

// Returns [channels][256] numbers: (byte / 255 - mean) / deviation. A mean or deviation of NaN is replaced by that of
// each channel, measured on the given rows.
std::vector<float> pixel_table(const IdxArray& images, const std::vector<uint32_t>& rows, const ImageShape& shape,
                               double mean, double deviation);

}  // namespace mnist
