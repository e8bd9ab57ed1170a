// The inputs of samples: images, and arrays of NumPy.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../common/pictures/picture_options.hpp"
#include "levin/images/image.hpp"

namespace webdataset {

using Bytes = std::vector<uint8_t>;

// Returns true if members with this ending can be inputs: "jpg", "seg.png", "pgm", "npy".
bool is_input(const std::string& field);
bool is_array(const std::string& field);

// Decodes a JPEG, PNG, WebP, BMP, PGM or PPM file. Throws levin::Error without the name of the file.
levin::images::Image decode_image(const Bytes& file, const common::PictureOptions& options);

// Reads a .npy file. shape: in, the shape that it must have; {} = any, which is written to it.
std::vector<float> decode_array(const Bytes& file, std::vector<int64_t>& shape);

}  // namespace webdataset
