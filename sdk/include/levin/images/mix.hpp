// Transforms that mix an image of a training batch with another one: a struct for each row of LEVIN_MIX_TRANSFORMS.
#pragma once
#include <algorithm>
#include <cmath>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

class Mix {
 public:
  Mix() = default;
  Mix(const Mix&) = delete;
  Mix& operator=(const Mix&) = delete;
  virtual ~Mix() = default;
  // The images have the same shape. Returns the weight of the image's own class, from 0 to 1.
  virtual double apply(Image& image, const Image& other, Random& random) const = 0;
};

// Returns a number of the distribution Beta(alpha, alpha), by Joehnk's method.
inline double draw_beta(double alpha, Random& random) {
  while (true) {
    const double a = std::pow(random.uniform(), 1 / alpha), b = std::pow(random.uniform(), 1 / alpha);
    if (a + b > 0 && a + b <= 1) return a / (a + b);
  }
}

namespace named {

class mixup : public Mix {
 public:
  explicit mixup(const Arguments& a) : alpha_(a.number(0, 0.05, 4)) {}
  double apply(Image& image, const Image& other, Random& random) const override {
    const double own = draw_beta(alpha_, random);
    const auto part = static_cast<float>(own);
    for (size_t i = 0; i < image.pixels.size(); ++i) {
      const auto from = static_cast<float>(other.pixels[i]);
      image.pixels[i] = static_cast<uint8_t>(from + part * (static_cast<float>(image.pixels[i]) - from) + 0.5f);
    }
    return own;
  }

 private:
  const double alpha_;
};

// As torchvision's CutMix. The weight is the part of the image that is left.
class cutmix : public Mix {
 public:
  explicit cutmix(const Arguments& a) : alpha_(a.number(0, 0.05, 4)) {}
  double apply(Image& image, const Image& other, Random& random) const override {
    const double half = 0.5 * std::sqrt(1 - draw_beta(alpha_, random));
    const Range down = drawn(image.shape.height, half, random), across = drawn(image.shape.width, half, random);
    for (int64_t c = 0; c < image.shape.channels; ++c)
      for (int64_t y = down.first; y < down.end; ++y)
        std::copy(other.row(c, y) + across.first, other.row(c, y) + across.end, image.row(c, y) + across.first);
    const int64_t pixels = image.shape.height * image.shape.width;
    const int64_t cut = (down.end - down.first) * (across.end - across.first);
    return static_cast<double>(pixels - cut) / static_cast<double>(pixels);
  }

 private:
  struct Range {
    int64_t first, end;
  };
  static Range drawn(int64_t size, double half, Random& random) {
    const int64_t middle = random.below(size), reach = static_cast<int64_t>(half * static_cast<double>(size));
    return {std::max<int64_t>(middle - reach, 0), std::min(middle + reach, size)};
  }

  const double alpha_;
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
