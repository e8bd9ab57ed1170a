// PNG files, decoded by libpng.
#pragma once
#include "image.hpp"

namespace image_folder {

Header png_header(const std::vector<uint8_t>& file);
Image decode_png(const std::vector<uint8_t>& file, const Header& header);

}  // namespace image_folder
