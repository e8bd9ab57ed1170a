// Resizes pictures as Pillow's Image.resize(size, BILINEAR, box), first horizontally and then vertically, with a
// triangle filter that is scaled to the pixels of the result (antialiasing).
#pragma once
#include <cstdint>
#include <vector>

namespace common {

struct Pixels {  // data is not owned
  int64_t width, height, channels;
  const uint8_t* data;  // [height][width][channels]
};
struct Box {
  float left, top, right, bottom;
};

// Returns [height][width][channels]. The box must lie within the picture and must not be empty.
std::vector<uint8_t> resized(const Pixels& picture, const Box& box, int64_t width, int64_t height);

}  // namespace common
