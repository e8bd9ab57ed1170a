// An ordinary LibTorch network with modules and forward, and nothing of Levin.
#pragma once
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

struct YourNetwork : torch::nn::Module {
  YourNetwork(int64_t channels, int64_t classes)
      : conv(register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 16, 5).stride(2)))),
        fc(register_module("fc", torch::nn::Linear(16 * 4 * 4, classes))) {}

  torch::Tensor forward(torch::Tensor x) {
    x = torch::adaptive_avg_pool2d(torch::relu(conv(x)), {4, 4});
    return fc(x.flatten(1));
  }

  torch::nn::Conv2d conv;
  torch::nn::Linear fc;
};
