// Rotations and other affine maps of an image: a struct for each row of LEVIN_WARP_TRANSFORMS.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// An affine map around the middle of the image. Angles are in degrees, shifts in pixels.
struct AffineMap {
  double angle = 0, shift_x = 0, shift_y = 0, scale = 1, shear_x = 0, shear_y = 0;
};

// Moves the pixels of the image by the map, with bilinear interpolation as Pillow's Image.transform; in a mask, the
// nearest pixel. What comes from outside is black, and in a mask `outside`.
inline void warp(Image& image, const AffineMap& map) {
  const double degree = std::acos(-1.0) / 180, angle = map.angle * degree;
  const double shear_x = map.shear_x * degree, shear_y = map.shear_y * degree;
  const double a = std::cos(angle - shear_y) / std::cos(shear_y), c = std::sin(angle - shear_y) / std::cos(shear_y);
  const double b = -a * std::tan(shear_x) - std::sin(angle), d = -c * std::tan(shear_x) + std::cos(angle);
  const int64_t height = image.shape.height, width = image.shape.width;
  const double middle_x = static_cast<double>(width) / 2, middle_y = static_cast<double>(height) / 2;
  const Image from = std::move(image);
  image = from.blank(from.shape);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const double right = static_cast<double>(x) + 0.5 - middle_x - map.shift_x,
                   down = static_cast<double>(y) + 0.5 - middle_y - map.shift_y;
      const double source_x = (d * right - b * down) / map.scale + middle_x,
                   source_y = (a * down - c * right) / map.scale + middle_y;
      if (!(source_x >= 0 && source_x < static_cast<double>(width) && source_y >= 0 &&
            source_y < static_cast<double>(height)))
        continue;
      if (image.is_mask) {
        image.row(0, y)[x] = from.row(0, static_cast<int64_t>(source_y))[static_cast<int64_t>(source_x)];
        continue;
      }
      const double left = std::floor(source_x - 0.5), top = std::floor(source_y - 0.5);
      const double part_x = source_x - 0.5 - left, part_y = source_y - 0.5 - top;
      const auto at = [](double corner, int64_t step, int64_t size) {
        return std::clamp<int64_t>(static_cast<int64_t>(corner) + step, 0, size - 1);
      };
      const int64_t x0 = at(left, 0, width), x1 = at(left, 1, width), y0 = at(top, 0, height), y1 = at(top, 1, height);
      for (int64_t channel = 0; channel < from.shape.channels; ++channel) {
        const uint8_t *upper = from.row(channel, y0), *lower = from.row(channel, y1);
        const double first = upper[x0] + (upper[x1] - upper[x0]) * part_x,
                     second = lower[x0] + (lower[x1] - lower[x0]) * part_x;
        image.row(channel, y)[x] = static_cast<uint8_t>(first + (second - first) * part_y);
      }
    }
}

namespace named {

class rotate : public Transform {
 public:
  explicit rotate(const Arguments& a) : degrees_(a.number(0, 0, 180)) {}
  void apply(Image& image, Random* random) const override {
    if (!random) return;
    AffineMap map;
    map.angle = random->uniform(-degrees_, degrees_);
    warp(image, map);
  }

 private:
  const double degrees_;
};

// As torchvision's RandomAffine.
class affine : public Transform {
 public:
  explicit affine(const Arguments& a)
      : degrees_(a.number(0, 0, 180)),
        shift_(a.number(1, 0, 1)),
        scale_(a.number(2, 0, 0.99)),
        shear_(a.number(3, 0, 89)) {}
  void apply(Image& image, Random* random) const override {
    if (!random) return;
    AffineMap map;
    map.angle = random->uniform(-degrees_, degrees_);
    map.shift_x = std::round(random->uniform(-shift_, shift_) * static_cast<double>(image.shape.width));
    map.shift_y = std::round(random->uniform(-shift_, shift_) * static_cast<double>(image.shape.height));
    map.scale = random->uniform(1 - scale_, 1 + scale_);
    map.shear_x = random->uniform(-shear_, shear_);
    warp(image, map);
  }

 private:
  const double degrees_, shift_, scale_, shear_;
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
