// Transforms of colours: a struct for each row of LEVIN_COLOUR_TRANSFORMS.
#pragma once
#include <algorithm>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// Returns the grey level of each pixel, as Pillow's convert("L"). Images that do not have three channels are returned
// as their first channel.
inline std::vector<uint8_t> grey_levels(const Image& image) {
  const size_t n = static_cast<size_t>(image.shape.height * image.shape.width);
  if (image.shape.channels != 3) return {image.plane(0), image.plane(0) + n};
  std::vector<uint8_t> out(n);
  const uint8_t *red = image.plane(0), *green = image.plane(1), *blue = image.plane(2);
  for (size_t i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>((red[i] * 19595 + green[i] * 38470 + blue[i] * 7471 + 0x8000) >> 16);
  return out;
}

inline void make_grey(Image& image) {
  if (image.shape.channels != 3) return;
  const std::vector<uint8_t> levels = grey_levels(image);
  for (int64_t c = 0; c < 3; ++c) std::copy(levels.begin(), levels.end(), image.plane(c));
}

namespace named {

class grey : public Transform {
 public:
  explicit grey(const Arguments&) {}
  void apply(Image& image, Random*) const override { make_grey(image); }
};

class random_grey : public Transform {
 public:
  explicit random_grey(const Arguments& a) : probability_(a.number(0, 0, 1)) {}
  void apply(Image& image, Random* random) const override {
    if (random && random->chance(probability_)) make_grey(image);
  }

 private:
  const double probability_;
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
