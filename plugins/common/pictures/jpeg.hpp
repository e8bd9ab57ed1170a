// JPEG files, decoded by libjpeg-turbo.
#pragma once
#include "image.hpp"

namespace common {

Header jpeg_header(const std::vector<uint8_t>& file);
Image decode_jpeg(const std::vector<uint8_t>& file, const Header& header, int reduction);

}  // namespace common
