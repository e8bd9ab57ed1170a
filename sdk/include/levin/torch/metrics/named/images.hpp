// The named metrics of images [N, channels, height, width].
#pragma once
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

}  // namespace levin::metrics::named
#pragma GCC visibility pop
