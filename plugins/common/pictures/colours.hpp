// Converts between numbers of channels.
#pragma once
#include "image.hpp"
#include "levin/images/image.hpp"

namespace common {

// channels: 1 (grey, by the luma of ITU-R 601) or 3. Transparent parts show a background of this grey level.
Image with_channels(const Image& image, int64_t channels, uint8_t background);

// Returns the image for transforms, which want the channels one after another.
levin::images::Image in_planes(const Image& image);

}  // namespace common
