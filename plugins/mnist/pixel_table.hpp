// What each byte of an image becomes.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"
#include "idx_file.hpp"

namespace mnist {

// [channels][256]: (byte / 255 - mean) / deviation. Where mean or deviation is NaN, it is each channel's own, measured
// on the given rows.
std::vector<float> pixel_table(const IdxArray& images, const std::vector<uint32_t>& rows, const ImageShape& shape,
                               double mean, double deviation);

}  // namespace mnist
