// Decodes JPEG and PNG files. What is wrong is thrown as levin::Error that does not name the file.
#pragma once
#include <string>

#include "image.hpp"

namespace image_folder {

using Bytes = std::vector<uint8_t>;

// True for names that end in .jpg, .jpeg, .jpe, .jfif or .png, in any letter case.
bool has_image_ending(const std::string& name);

Bytes read_bytes(const std::string& path);

// The format is found by the first bytes, whatever the name.
bool is_jpeg(const Bytes& file);

// A picture of more pixels is refused.
Header read_header(const Bytes& file, int64_t max_pixels);

// Grey or colour, perhaps with alpha, 8 bits each; not yet upright. A JPEG may come smaller: `reduction` is 1, 2, 4 or
// 8, and its sizes are then divided by it and rounded up.
Image decode(const Bytes& file, const Header& header, int reduction);

}  // namespace image_folder
