// Plain loops that the compiler vectorizes (-O3, -fassociative-math: the order of the sums is the compiler's).
#include "core/kernels/batch_norm/batch_norm_rows.hpp"

#include <algorithm>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

constexpr int64_t block = 1024;

}  // namespace

LEVIN_WIDE_CLONES double sum(const float* in, int64_t n) {
  double total = 0;
  for (int64_t at = 0; at < n; at += block) {
    float part = 0;
    const int64_t end = std::min(n, at + block);
    for (int64_t i = at; i < end; ++i) part += in[i];
    total += static_cast<double>(part);
  }
  return total;
}

LEVIN_WIDE_CLONES double sum_of_squares(const float* in, int64_t n, float mean) {
  double total = 0;
  for (int64_t at = 0; at < n; at += block) {
    float part = 0;
    const int64_t end = std::min(n, at + block);
    for (int64_t i = at; i < end; ++i) part += (in[i] - mean) * (in[i] - mean);
    total += static_cast<double>(part);
  }
  return total;
}

LEVIN_WIDE_CLONES void normalize(const float* __restrict in, int64_t n, float mean, float scale, float shift,
                                 float* __restrict out) {
  for (int64_t i = 0; i < n; ++i) out[i] = (in[i] - mean) * scale + shift;
}

LEVIN_WIDE_CLONES GradientSums gradient_sums(const float* __restrict gradient, const float* __restrict in, int64_t n,
                                             float mean) {
  GradientSums total;
  for (int64_t at = 0; at < n; at += block) {
    float gradients = 0, products = 0;
    const int64_t end = std::min(n, at + block);
    for (int64_t i = at; i < end; ++i) {
      gradients += gradient[i];
      products += gradient[i] * (in[i] - mean);
    }
    total.gradient += static_cast<double>(gradients);
    total.product += static_cast<double>(products);
  }
  return total;
}

LEVIN_WIDE_CLONES void input_gradient(const float* __restrict gradient, const float* __restrict in, int64_t n,
                                      float mean, float shift, float slope, float scale, float* __restrict out) {
  for (int64_t i = 0; i < n; ++i) out[i] = (gradient[i] - shift - (in[i] - mean) * slope) * scale;
}

}  // namespace levin::core
