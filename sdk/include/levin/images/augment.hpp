// RandAugment and TrivialAugment: random operations of random strength.
#pragma once
#include <cmath>
#include <iterator>

#include "levin/images/arguments.hpp"
#include "levin/images/enhance.hpp"
#include "levin/images/warp.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// How far the operations go at full strength.
struct AugmentRanges {
  double shear, shift_part, shift_pixels, degrees, enhance, posterize_bits;
};

namespace detail_of_augment {

inline void bend(Image& image, double shear_x, double shear_y) {
  const double degrees = 180 / std::acos(-1.0);
  AffineMap map;
  map.shear_x = std::atan(shear_x) * degrees;
  map.shear_y = std::atan(shear_y) * degrees;
  warp(image, map);
}
inline void shift(Image& image, double x, double y) {
  AffineMap map;
  map.shift_x = std::trunc(x);
  map.shift_y = std::trunc(y);
  warp(image, map);
}
inline void turn(Image& image, double degrees) {
  AffineMap map;
  map.angle = degrees;
  warp(image, map);
}
inline double pixels(const AugmentRanges& ranges, int64_t side) {
  return ranges.shift_part * static_cast<double>(side) + ranges.shift_pixels;
}
inline float factor(const AugmentRanges& ranges, double signed_strength) {
  return static_cast<float>(1 + signed_strength * ranges.enhance);
}

// s: the strength from 0 to 1, with a random sign.
using Operation = void (*)(Image& i, const AugmentRanges& r, double s);
inline constexpr int64_t moving = 6;  // the first operations move pixels, the others change them
inline constexpr Operation operations[] = {
    [](Image&, const AugmentRanges&, double) {},
    [](Image& i, const AugmentRanges& r, double s) { bend(i, s * r.shear, 0); },
    [](Image& i, const AugmentRanges& r, double s) { bend(i, 0, s * r.shear); },
    [](Image& i, const AugmentRanges& r, double s) { shift(i, s * pixels(r, i.shape.width), 0); },
    [](Image& i, const AugmentRanges& r, double s) { shift(i, 0, s * pixels(r, i.shape.height)); },
    [](Image& i, const AugmentRanges& r, double s) { turn(i, s * r.degrees); },
    [](Image& i, const AugmentRanges& r, double s) { change_brightness(i, factor(r, s)); },
    [](Image& i, const AugmentRanges& r, double s) { change_saturation(i, factor(r, s)); },
    [](Image& i, const AugmentRanges& r, double s) { change_contrast(i, factor(r, s)); },
    [](Image& i, const AugmentRanges& r, double s) { change_sharpness(i, factor(r, s)); },
    [](Image& i, const AugmentRanges& r, double s) {
      posterize(i, 8 - static_cast<int>(std::lround(std::fabs(s) * r.posterize_bits)));
    },
    [](Image& i, const AugmentRanges&, double s) { solarize(i, 255 * (1 - std::fabs(s))); },
    [](Image& i, const AugmentRanges&, double) { auto_contrast(i); },
    [](Image& i, const AugmentRanges&, double) { equalize(i); },
};

}  // namespace detail_of_augment

// Applies one of torchvision's 14 operations, drawn at random, with a strength from 0 to 1 and a random sign.
inline void augment_once(Image& image, const AugmentRanges& ranges, double strength, Random& random) {
  const int64_t drawn = random.below(static_cast<int64_t>(std::size(detail_of_augment::operations)));
  const double signed_strength = random.chance(0.5) ? strength : -strength;
  if (image.is_mask && drawn >= detail_of_augment::moving) return;
  detail_of_augment::operations[drawn](image, ranges, signed_strength);
}

namespace named {

class randaugment : public Transform {
 public:
  explicit randaugment(const Arguments& a) : operations_(a.whole(0, 0, 14)), strength_(a.number(1, 0, 30) / 30) {}
  void apply(Image& image, Random* random) const override {
    if (!random) return;
    for (int64_t i = 0; i < operations_; ++i)
      augment_once(image, {0.3, 150.0 / 331, 0, 30, 0.9, 4}, strength_, *random);
  }

 private:
  const int64_t operations_;
  const double strength_;
};

class trivialaugment : public Transform {
 public:
  explicit trivialaugment(const Arguments&) {}
  void apply(Image& image, Random* random) const override {
    if (!random) return;
    const double strength = static_cast<double>(random->below(31)) / 30;
    augment_once(image, {0.99, 0, 32, 135, 0.99, 6}, strength, *random);
  }
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
