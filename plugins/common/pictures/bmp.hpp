// BMP files without compression.
#pragma once
#include "image.hpp"

namespace common {

Header bmp_header(const std::vector<uint8_t>& file);
Image decode_bmp(const std::vector<uint8_t>& file, const Header& header);

}  // namespace common
