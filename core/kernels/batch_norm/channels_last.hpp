// Batch norm in training, of float tensors with the channels last. Results do not depend on the number of threads.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <tuple>

namespace levin::core {

// A number for each channel; a null pointer = none.
struct NormParameters {
  const float *weight, *bias;
  float *running_mean, *running_var;
  double momentum, eps;

  // squares: of the distances of the channel's numbers from their mean
  void move_running(int64_t channel, double mean, double squares, double numbers) const {
    const auto move = [&](float* running, double value) {
      if (running)
        running[channel] =
            static_cast<float>(momentum * value + (1 - momentum) * static_cast<double>(running[channel]));
    };
    move(running_mean, mean);
    move(running_var, squares / (numbers - 1));
  }
};

// input: at least repeated_width() numbers. Returns output, mean and inverse standard deviation, or undefined tensors,
// without a change, if the variances are not finite: LibTorch's kernel has to compute these.
std::tuple<at::Tensor, at::Tensor, at::Tensor> channels_last_norm(const at::Tensor& input, const NormParameters& of);

// Returns the gradients of input, weight and bias that are wanted.
std::tuple<at::Tensor, at::Tensor, at::Tensor> channels_last_norm_backward(const at::Tensor& gradient,
                                                                           const at::Tensor& input, const float* weight,
                                                                           const float* mean, const float* inverse_std,
                                                                           std::array<bool, 3> wanted);

}  // namespace levin::core
