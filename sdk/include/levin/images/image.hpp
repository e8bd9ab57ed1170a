// An image of bytes, and the base of what transforms it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "levin/random.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

struct Shape {
  int64_t channels, height, width;
  int64_t size() const { return channels * height * width; }
};

struct Image {
  Shape shape{};
  std::vector<uint8_t> pixels;  // [channel][y][x]
  // The pixels of a mask are classes: they are moved with those of an image, but never mixed or changed.
  bool is_mask = false;
  uint8_t outside = 0;  // of a mask: the class of what comes in from outside

  Image() = default;
  explicit Image(const Shape& of, uint8_t fill = 0) : shape(of), pixels(static_cast<size_t>(of.size()), fill) {}
  // Returns a mask that is `outside` everywhere.
  static Image mask(int64_t height, int64_t width, uint8_t outside) {
    Image out({1, height, width}, outside);
    out.is_mask = true;
    out.outside = outside;
    return out;
  }
  // Returns an image of another shape, or a mask if this is one. fill: not of masks, which have `outside` everywhere.
  Image blank(const Shape& of, uint8_t fill = 0) const {
    Image out(of, is_mask ? outside : fill);
    out.is_mask = is_mask;
    out.outside = outside;
    return out;
  }
  uint8_t* plane(int64_t channel) { return pixels.data() + channel * shape.height * shape.width; }
  const uint8_t* plane(int64_t channel) const { return pixels.data() + channel * shape.height * shape.width; }
  uint8_t* row(int64_t channel, int64_t y) { return plane(channel) + y * shape.width; }
  const uint8_t* row(int64_t channel, int64_t y) const { return plane(channel) + y * shape.width; }
};

// One transform with its arguments. Objects do not change, and are used by several threads at once.
class Transform {
 public:
  Transform() = default;
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  virtual ~Transform() = default;
  // random: the numbers of this image in this epoch; nullptr outside training.
  virtual void apply(Image& image, Random* random) const = 0;
  // The shape of the result. A height or width of 0 is one that differs from image to image.
  virtual Shape after(const Shape& shape) const { return shape; }
  // How many times smaller, on each side, the result is at least.
  virtual double reduction(const Shape&) const { return 1; }
};

}  // namespace levin::images
#pragma GCC visibility pop
