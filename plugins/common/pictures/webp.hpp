// WebP files, decoded by libwebp if it was there when the plugin was built.
#pragma once
#include "image.hpp"

namespace common {

Header webp_header(const std::vector<uint8_t>& file);
Image decode_webp(const std::vector<uint8_t>& file, const Header& header);

}  // namespace common
