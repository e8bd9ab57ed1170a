// From the channels that a file has to those that are wanted.
#pragma once
#include "image.hpp"

namespace image_folder {

// channels: 1 (grey, by the luma of ITU-R 601) or 3. What is transparent lets a grey background through.
Image with_channels(const Image& image, int64_t channels, uint8_t background);

}  // namespace image_folder
