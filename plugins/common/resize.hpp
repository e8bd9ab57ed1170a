// Resizes pictures as Pillow's Image.resize(size, BILINEAR, box) does, first across and then down: a triangle as wide
// as the pixels of the result, so that nothing is left out where a picture becomes smaller.
#pragma once
#include <cstdint>
#include <vector>

namespace common {

struct Pixels {  // borrowed
  int64_t width, height, channels;
  const uint8_t* data;  // [height][width][channels]
};
struct Box {
  float left, top, right, bottom;
};

// [height][width][channels]. The box lies within the picture and is not empty.
std::vector<uint8_t> resized(const Pixels& picture, const Box& box, int64_t width, int64_t height);

}  // namespace common
