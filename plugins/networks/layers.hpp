// Layers that several networks share, with torchvision's names.
#pragma once
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <utility>
#include <vector>

#include "levin/torch.hpp"

namespace networks {

// A Sequential that may be an element of another.
class LayersImpl : public torch::nn::SequentialImpl {
 public:
  using SequentialImpl::SequentialImpl;
  torch::Tensor forward(torch::Tensor x) { return levin::watch(static_cast<SequentialImpl&>(*this), std::move(x)); }
};
TORCH_MODULE(Layers);

struct Picture {
  int64_t channels, height, width;
};
// Returns the size of the data's images. Throws Error, with the network's name, if the input is something else or
// smaller than `least` in a side.
Picture picture(const levin::DataInfo& data, const char* network, int64_t least);

enum class Activation { none, relu, silu, hardswish, hardsigmoid, sigmoid };

class ActivationLayerImpl : public torch::nn::Module {
 public:
  explicit ActivationLayerImpl(Activation kind) : kind_(kind) {}
  torch::Tensor forward(torch::Tensor x);

 private:
  Activation kind_;
};
TORCH_MODULE(ActivationLayer);

struct Norm {
  double eps = 1e-5, momentum = 0.1;
};

// A convolution without bias that keeps the size of the image (divided by the stride), batch norm and an activation.
struct ConvNorm {
  int64_t in, out, kernel = 3, stride = 1, groups = 1;
  Norm norm = {};
  Activation activation = Activation::relu;
};
Layers conv_norm(const ConvNorm& of);

// Multiplies each channel by a factor from 0 to 1, computed from the means of all channels.
class SqueezeExcitationImpl : public torch::nn::Module {
 public:
  SqueezeExcitationImpl(int64_t channels, int64_t squeezed, Activation inner, Activation outer);
  torch::Tensor forward(torch::Tensor x);

 private:
  torch::nn::Conv2d fc1_{nullptr}, fc2_{nullptr};
  Activation inner_, outer_;
};
TORCH_MODULE(SqueezeExcitation);

torch::Tensor activated(Activation kind, torch::Tensor x);

// Returns the nearest multiple of 8 that is not below 90 % of the value.
int64_t multiple_of_8(double value);

// Initialises a network in its constructor as torchvision does: convolutions from the normal distribution of He, by
// their outputs, linear layers by `linear`, and all biases with 0.
void initialise_layers(const torch::nn::Module& network, void (*linear)(torch::Tensor weight));
// For initialise_layers: fills a weight from the normal distribution with the standard deviation 0.01.
void small_normal(torch::Tensor weight);

// Fills a weight from the normal distribution, cut at low and high.
void truncated_normal(torch::Tensor weight, double std, double low = -2, double high = 2);

}  // namespace networks
