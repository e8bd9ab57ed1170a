// Transforms that take detail away: a struct for each row of LEVIN_DAMAGE_TRANSFORMS.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// Blurs the image by a Gaussian; the border is repeated.
inline void blur_by(Image& image, double sigma) {
  const int64_t reach = std::max<int64_t>(1, std::llround(std::ceil(3 * sigma)));
  std::vector<float> weights;
  float sum = 0;
  for (int64_t i = -reach; i <= reach; ++i) {
    weights.push_back(static_cast<float>(std::exp(-static_cast<double>(i * i) / (2 * sigma * sigma))));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  const int64_t height = image.shape.height, width = image.shape.width;
  std::vector<float> across(static_cast<size_t>(height * width)), total(static_cast<size_t>(width));
  std::vector<uint8_t> row(static_cast<size_t>(width + 2 * reach));
  for (int64_t c = 0; c < image.shape.channels; ++c) {
    for (int64_t y = 0; y < height; ++y) {
      const uint8_t* from = image.row(c, y);
      std::fill_n(row.begin(), reach, from[0]);
      std::copy_n(from, width, row.begin() + reach);
      std::fill(row.end() - reach, row.end(), from[width - 1]);
      float* to = across.data() + y * width;
      for (size_t k = 0; k < weights.size(); ++k)
        for (size_t x = 0; x < total.size(); ++x) to[x] += weights[k] * row[x + k];
    }
    for (int64_t y = 0; y < height; ++y) {
      std::fill(total.begin(), total.end(), 0.5f);
      for (int64_t k = -reach; k <= reach; ++k) {
        const float* from = across.data() + std::clamp<int64_t>(y + k, 0, height - 1) * width;
        const float weight = weights[static_cast<size_t>(k + reach)];
        for (size_t x = 0; x < total.size(); ++x) total[x] += weight * from[x];
      }
      for (int64_t x = 0; x < width; ++x)
        image.row(c, y)[x] = static_cast<uint8_t>(std::min(255.0f, total[static_cast<size_t>(x)]));
    }
    std::fill(across.begin(), across.end(), 0.0f);
  }
}

namespace named {

class blur : public Transform {
 public:
  explicit blur(const Arguments& a)
      : probability_(a.number(0, 0, 1)), min_sigma_(a.number(1, 0.01, 50)), max_sigma_(a.number(2, min_sigma_, 50)) {}
  void apply(Image& image, Random* random) const override {
    if (random && random->chance(probability_)) blur_by(image, random->uniform(min_sigma_, max_sigma_));
  }

 private:
  const double probability_, min_sigma_, max_sigma_;
};

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

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
