// Decodes JPEG, PNG, WebP and BMP files. Errors are thrown as levin::Error; the caller adds the file name.
#pragma once
#include <string>

#include "image.hpp"

namespace common {

using Bytes = std::vector<uint8_t>;

// The endings of image files: .jpg, .jpeg, .jpe, .jfif, .png, .webp and .bmp.
extern const char* const image_endings[7];
// Returns true for names with such an ending, in any letter case.
bool has_image_ending(const std::string& name);

Bytes read_bytes(const std::string& path);

// The format is detected by the first bytes, not by the name.
bool is_jpeg(const Bytes& file);

// Throws levin::Error for a picture of more than max_pixels.
Header read_header(const Bytes& file, int64_t max_pixels);

// Returns grey or colour, with or without alpha, 8 bits per channel, not yet upright. reduction: 1, 2, 4 or 8; the
// sides of a JPEG are divided by it and rounded up.
Image decode(const Bytes& file, const Header& header, int reduction);

// Returns the values of the pixels of a mask, 1 channel: the grey levels or palette indices of a PNG of up to 8 bits.
Image decode_mask(const Bytes& file, const Header& header);

}  // namespace common
