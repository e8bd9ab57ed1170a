// Converts between numbers of channels.
#pragma once
#include "image.hpp"

namespace image_folder {

// channels: 1 (grey, by the luma of ITU-R 601) or 3. Transparent parts show a background of this grey level.
Image with_channels(const Image& image, int64_t channels, uint8_t background);

}  // namespace image_folder
