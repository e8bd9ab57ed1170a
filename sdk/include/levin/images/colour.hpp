// Transforms of colours: a struct for each row of LEVIN_COLOUR_TRANSFORMS.
#pragma once
#include <algorithm>
#include <utility>

#include "levin/images/arguments.hpp"
#include "levin/images/enhance.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

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

// As torchvision's ColorJitter: the four changes in random order.
class color_jitter : public Transform {
 public:
  explicit color_jitter(const Arguments& a)
      : brightness_(a.number(0, 0, 10)),
        contrast_(a.number(1, 0, 10)),
        saturation_(a.number(2, 0, 10)),
        hue_(a.number(3, 0, 0.5)) {}
  void apply(Image& image, Random* random) const override {
    if (!random) return;
    const auto factor = [&](double range) {
      return static_cast<float>(random->uniform(std::max(0.0, 1 - range), 1 + range));
    };
    int order[] = {0, 1, 2, 3};
    for (int64_t i = 3; i > 0; --i) std::swap(order[i], order[random->below(i + 1)]);
    for (const int change : order) {
      if (change == 0 && brightness_ > 0) change_brightness(image, factor(brightness_));
      if (change == 1 && contrast_ > 0) change_contrast(image, factor(contrast_));
      if (change == 2 && saturation_ > 0) change_saturation(image, factor(saturation_));
      if (change == 3 && hue_ > 0) change_hue(image, static_cast<float>(random->uniform(-hue_, hue_)));
    }
  }

 private:
  const double brightness_, contrast_, saturation_, hue_;
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
