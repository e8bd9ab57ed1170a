// The two networks of the GAN. They are perceptrons, which is enough for images of clothes.
#pragma once
#include <ATen/TensorOperators.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/tanh.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

#include <string>
#include <vector>

namespace gan {

constexpr double slope = 0.2;  // of leaky ReLU

// [rows, latent] -> images [rows, channels, height, width] in -1..1
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(int64_t latent, std::vector<int64_t> image) : image_(std::move(image)) {
    int64_t pixels = 1, in = latent;
    for (const int64_t n : image_) pixels *= n;
    for (const int64_t out : {128, 256, 512}) {
      const std::string i = std::to_string(layers_.size());
      layers_.push_back(register_module("linear" + i, torch::nn::Linear(in, out)));
      norms_.push_back(register_module("norm" + i, torch::nn::BatchNorm1d(out)));
      in = out;
    }
    out_ = register_module("out", torch::nn::Linear(in, pixels));
  }
  torch::Tensor forward(torch::Tensor z) {
    for (size_t i = 0; i < layers_.size(); ++i) z = at::leaky_relu(norms_[i](layers_[i](z)), slope);
    std::vector<int64_t> shape = {z.size(0)};
    shape.insert(shape.end(), image_.begin(), image_.end());
    return at::tanh(out_(z)).view(shape);
  }

 private:
  std::vector<int64_t> image_;
  std::vector<torch::nn::Linear> layers_;
  std::vector<torch::nn::BatchNorm1d> norms_;
  torch::nn::Linear out_{nullptr};
};
TORCH_MODULE(Generator);

// images -> [rows] logits that say how likely each image is a real one
class DiscriminatorImpl : public torch::nn::Module {
 public:
  explicit DiscriminatorImpl(int64_t pixels) {
    first_ = register_module("first", torch::nn::Linear(pixels, 512));
    second_ = register_module("second", torch::nn::Linear(512, 256));
    out_ = register_module("out", torch::nn::Linear(256, 1));
  }
  torch::Tensor forward(const torch::Tensor& images) {
    const torch::Tensor hidden = at::leaky_relu(first_(images.flatten(1)), slope);
    return out_(at::leaky_relu(second_(hidden), slope)).squeeze(1);
  }

 private:
  torch::nn::Linear first_{nullptr}, second_{nullptr}, out_{nullptr};
};
TORCH_MODULE(Discriminator);

}  // namespace gan
