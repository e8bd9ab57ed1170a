// PNG files, decoded by libpng.
#pragma once
#include "image.hpp"

namespace common {

Header png_header(const std::vector<uint8_t>& file);
Image decode_png(const std::vector<uint8_t>& file, const Header& header);
// Returns grey levels or palette indices as they are in the file. Throws levin::Error for other PNGs.
Image decode_png_values(const std::vector<uint8_t>& file, const Header& header);

}  // namespace common
