// The named metrics of images [N, channels, height, width].
#pragma once
#include <cmath>

#include "levin/torch/metrics/named/of_numbers.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

struct Images {
  Images(const at::Tensor& given, const at::Tensor& wanted, const MetricInputs&) {
    if (given.dim() != 4 || given.numel() != wanted.numel())
      throw Error(LEVIN_E_INVALID,
                  "a metric of images takes predictions [N, channels, height, width] and targets of the same size");
    prediction = given.to(at::kDouble), target = wanted.to(at::kDouble).view_as(given);
  }
  at::Tensor prediction, target;
};

struct OfImages : AnyMetric {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1e-12, 1e12); }
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SumsMetric<Images>>(choice, inputs, &M::sums, &M::value);
  }
};

// Of the mean squared error of all images; infinite if there is no error.
struct psnr : OfImages {
  static at::Tensor sums(const MetricChoice&, const Images& i) {
    const at::Tensor squares = (i.prediction - i.target).square();
    return at::stack({squares.sum(), scalar(static_cast<double>(squares.numel()), squares)});
  }
  static at::Tensor value(const MetricChoice& choice, const at::Tensor& sums) {
    return 10 * (choice.numbers[0] * choice.numbers[0] * sums[1] / sums[0]).log10();
  }
};

// The mean over the images. Means and variances are weighted by a Gaussian of 11 x 11 pixels with the deviation 1.5
// around each pixel; the images are reflected at their borders, as in torchmetrics.
struct ssim : OfImages {
  static at::Tensor window(const at::Tensor& like) {
    const at::Tensor from_center = at::arange(-5, 6, like.options()) / 1.5;
    const at::Tensor weights = (from_center.square() / -2).exp();
    return weights / weights.sum();
  }
  // Returns the weighted mean around each pixel of images [M, 1, height, width].
  static at::Tensor smooth(const at::Tensor& images, const at::Tensor& weights) {
    return at::conv2d(at::conv2d(images, weights.view({1, 1, 11, 1})), weights.view({1, 1, 1, 11}));
  }
  static at::Tensor reflected(const at::Tensor& images) {
    return at::reflection_pad2d(images.reshape({-1, 1, images.size(2), images.size(3)}), {5, 5, 5, 5});
  }
  static at::Tensor sums(const MetricChoice& choice, const Images& i) {
    const int64_t n = i.prediction.size(0), height = i.prediction.size(2), width = i.prediction.size(3);
    if (height < 6 || width < 6)
      throw Error(LEVIN_E_INVALID, "metric 'ssim' is of images of at least 6 x 6 pixels, and these have " +
                                       std::to_string(height) + " x " + std::to_string(width));
    const at::Tensor y = reflected(i.prediction), t = reflected(i.target);
    const at::Tensor weights = window(y), mean_y = smooth(y, weights), mean_t = smooth(t, weights);
    const at::Tensor var_y = (smooth(y * y, weights) - mean_y.square()).clamp_min(0);
    const at::Tensor var_t = (smooth(t * t, weights) - mean_t.square()).clamp_min(0);
    const at::Tensor both = smooth(y * t, weights) - mean_y * mean_t;
    const double c1 = std::pow(0.01 * choice.numbers[0], 2), c2 = std::pow(0.03 * choice.numbers[0], 2);
    const at::Tensor each = (2 * mean_y * mean_t + c1) * (2 * both + c2) /
                            ((mean_y.square() + mean_t.square() + c1) * (var_y + var_t + c2));
    return at::stack({each.reshape({n, -1}).mean(1).sum(), scalar(static_cast<double>(n), each)});
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
