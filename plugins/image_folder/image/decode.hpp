// Decodes JPEG and PNG files. Errors are thrown as levin::Error; the caller adds the file name.
#pragma once
#include <string>

#include "image.hpp"

namespace image_folder {

using Bytes = std::vector<uint8_t>;

// Returns true for names that end in .jpg, .jpeg, .jpe, .jfif or .png, in any letter case.
bool has_image_ending(const std::string& name);

Bytes read_bytes(const std::string& path);

// The format is detected by the first bytes, not by the name.
bool is_jpeg(const Bytes& file);

// Throws levin::Error for a picture of more than max_pixels.
Header read_header(const Bytes& file, int64_t max_pixels);

// Returns grey or colour, with or without alpha, 8 bits per channel, not yet upright. reduction: 1, 2, 4 or 8; the
// sides of a JPEG are divided by it and rounded up.
Image decode(const Bytes& file, const Header& header, int reduction);

}  // namespace image_folder
