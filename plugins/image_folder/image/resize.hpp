// Resizes pictures as Pillow's Image.resize(size, BILINEAR, box) does, first across and then down: a triangle as wide
// as the pixels of the result, so that nothing is left out where a picture becomes smaller.
#pragma once
#include "image.hpp"

namespace image_folder {

struct Box {
  float left, top, right, bottom;
};

// The box lies within the picture and is not empty.
Image resized(const Image& image, const Box& box, int64_t width, int64_t height);

}  // namespace image_folder
