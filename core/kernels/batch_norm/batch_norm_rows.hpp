// The loops of batch norm over numbers in a row. Sums are in float over some hundred numbers, and in double over these.
#pragma once
#include <cstdint>

namespace levin::core {

double sum(const float* in, int64_t n);
// Of the squares of the distances from the mean.
double sum_of_squares(const float* in, int64_t n, float mean);
// out = (in - mean) * scale + shift
void normalize(const float* in, int64_t n, float mean, float scale, float shift, float* out);

struct GradientSums {
  double gradient = 0;  // of the gradients
  double product = 0;   // of the gradients times the distances of the input from its mean
};
GradientSums gradient_sums(const float* gradient, const float* in, int64_t n, float mean);
// out = (gradient - shift - (in - mean) * slope) * scale
void input_gradient(const float* gradient, const float* in, int64_t n, float mean, float shift, float slope,
                    float scale, float* out);

}  // namespace levin::core
