// Transforms that take detail away: a struct for each row of LEVIN_DAMAGE_TRANSFORMS.
#pragma once
#include <algorithm>
#include <cmath>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images::named {

// As torchvision's RandomErasing, with aspect ratios from 0.3 to 3.3.
class erase : public Transform {
 public:
  explicit erase(const Arguments& a)
      : probability_(a.number(0, 0, 1)),
        min_area_(a.number(1, 0, 1)),
        max_area_(a.number(2, min_area_, 1)),
        fill_(static_cast<uint8_t>(a.whole(3, 0, 255))) {}
  void apply(Image& image, Random* random) const override {
    if (!random || !random->chance(probability_)) return;
    const Shape& shape = image.shape;
    for (int attempt = 0; attempt < 10; ++attempt) {
      const double area = static_cast<double>(shape.height * shape.width) * random->uniform(min_area_, max_area_);
      const double ratio = std::exp(random->uniform(std::log(0.3), std::log(3.3)));
      const int64_t height = std::llround(std::sqrt(area * ratio)), width = std::llround(std::sqrt(area / ratio));
      if (height < 1 || width < 1 || height >= shape.height || width >= shape.width) continue;
      const int64_t top = random->below(shape.height - height + 1), left = random->below(shape.width - width + 1);
      for (int64_t c = 0; c < shape.channels; ++c)
        for (int64_t y = top; y < top + height; ++y) std::fill_n(image.row(c, y) + left, width, fill_);
      return;
    }
  }

 private:
  const double probability_, min_area_, max_area_;
  const uint8_t fill_;
};

}  // namespace levin::images::named
#pragma GCC visibility pop
