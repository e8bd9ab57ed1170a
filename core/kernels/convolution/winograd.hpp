// 3x3 convolutions by Winograd's algorithm, with a quarter of the multiplications: F(4x4, 3x3) of Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks" (2015).
#pragma once
#include <ATen/core/Tensor.h>

namespace levin::core {

// A 3x3 convolution with stride 1 of images [n, channels, height, width].
struct Convolution3x3 {
  at::IntArrayRef input, output;  // sizes; both have the same n
  int64_t top, left;              // padding
};

// Returns true if this is faster than oneDNN: with enough pixels for the transform of the weights, enough channels for
// the products, and few pixels of tiles outside the images.
bool is_fast_by_winograd(const Convolution3x3& sizes);

// All tensors are floats in channels_last. Results do not depend on the number of threads. They return false, with
// wrong results, if numbers overflow or are not finite.
bool winograd_output(const Convolution3x3& sizes, const at::Tensor& input, const at::Tensor& weight,
                     const at::Tensor& bias, const at::Tensor& output);
bool winograd_input_gradient(const Convolution3x3& sizes, const at::Tensor& gradient, const at::Tensor& weight,
                             const at::Tensor& input_gradient);
bool winograd_weight_gradient(const Convolution3x3& sizes, const at::Tensor& gradient, const at::Tensor& input,
                              const at::Tensor& weight_gradient);

}  // namespace levin::core
