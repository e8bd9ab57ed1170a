// The networks of the benchmarks, each with its loss. bench/python has the same ones.
#pragma once
#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace levin_bench {

struct Net : torch::nn::Module {
  virtual torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) = 0;
};

// Linear layers with ReLU between them; cross entropy, or mean squared error for a single output.
std::shared_ptr<Net> mlp(const std::vector<int64_t>& widths);
std::shared_ptr<Net> small_cnn();          // of the plugin `cnn`, for 1x28x28
std::shared_ptr<Net> default_resnet();     // of the plugin `resnet`, for 1x28x28
std::shared_ptr<Net> resnet18_cifar();     // for 3x32x32, 10 classes
std::shared_ptr<Net> resnet18_imagenet();  // for 3x224x224, 1000 classes
// Networks that predict the next of `vocabulary` characters; x: int64 [B, T + 1], y is not used.
constexpr int64_t vocabulary = 64;
std::shared_ptr<Net> character_lstm();         // one layer of 128
std::shared_ptr<Net> character_transformer();  // 2 layers of 64 in 4 heads
std::shared_ptr<Net> nothing();                // one number: its step costs next to nothing

}  // namespace levin_bench
