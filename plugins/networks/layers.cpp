#include "layers.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <torch/nn/init.h>

#include <algorithm>
#include <cmath>

namespace networks {

Picture picture(const levin::DataInfo& data, const char* network, int64_t least) {
  const levin::Field& field = data.input();
  const std::vector<int64_t>& shape = field.shape;
  if (shape.size() == 3 && shape[0] > 0 && std::min(shape[1], shape[2]) >= std::max<int64_t>(least, 1))
    return {shape[0], shape[1], shape[2]};
  const std::string size = std::to_string(least);
  throw levin::Error(LEVIN_E_INVALID, std::string(network) + " needs images [channels, height, width]" +
                                          (least > 1 ? " of at least " + size + " x " + size : std::string()) +
                                          "; field '" + field.name + "' of the data has the shape " +
                                          levin::shape_text(shape));
}

torch::Tensor activated(Activation kind, torch::Tensor x) {
  switch (kind) {
    case Activation::relu:
      return x.relu_();
    case Activation::silu:
      return at::silu(x);
    case Activation::hardswish:
      return at::hardswish(x);
    case Activation::hardsigmoid:
      return at::hardsigmoid(x);
    case Activation::sigmoid:
      return at::sigmoid(x);
    default:
      return x;
  }
}

torch::Tensor ActivationLayerImpl::forward(torch::Tensor x) { return activated(kind_, std::move(x)); }

Layers conv_norm(const ConvNorm& of) {
  Layers out(torch::nn::Conv2d(torch::nn::Conv2dOptions(of.in, of.out, of.kernel)
                                   .stride(of.stride)
                                   .padding((of.kernel - 1) / 2)
                                   .groups(of.groups)
                                   .bias(false)),
             torch::nn::BatchNorm2d(torch::nn::BatchNorm2dOptions(of.out).eps(of.norm.eps).momentum(of.norm.momentum)));
  if (of.activation != Activation::none) out->push_back(ActivationLayer(of.activation));
  return out;
}

SqueezeExcitationImpl::SqueezeExcitationImpl(int64_t channels, int64_t squeezed, Activation inner, Activation outer)
    : inner_(inner), outer_(outer) {
  fc1_ = register_module("fc1", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, squeezed, 1)));
  fc2_ = register_module("fc2", torch::nn::Conv2d(torch::nn::Conv2dOptions(squeezed, channels, 1)));
}

torch::Tensor SqueezeExcitationImpl::forward(torch::Tensor x) {
  const torch::Tensor inside = activated(inner_, fc1_(at::adaptive_avg_pool2d(x, {1, 1})));
  return activated(outer_, fc2_(inside)) * x;
}

int64_t multiple_of_8(double value) {
  const int64_t out = std::max<int64_t>(8, static_cast<int64_t>(value + 4) / 8 * 8);
  return static_cast<double>(out) < 0.9 * value ? out + 8 : out;
}

void initialise_layers(const torch::nn::Module& network, void (*linear)(torch::Tensor weight)) {
  for (const auto& module : network.modules(/*include_self=*/false)) {
    torch::Tensor bias;
    if (auto* conv = module->as<torch::nn::Conv2d>()) {
      torch::nn::init::kaiming_normal_(conv->weight, 0, torch::kFanOut, torch::kReLU);
      bias = conv->bias;
    } else if (auto* layer = module->as<torch::nn::Linear>()) {
      linear(layer->weight);
      bias = layer->bias;
    }
    if (bias.defined()) torch::nn::init::zeros_(bias);
  }
}

void small_normal(torch::Tensor weight) { torch::nn::init::normal_(weight, 0, 0.01); }

void truncated_normal(torch::Tensor weight, double std, double low, double high) {
  const at::NoGradGuard no_grad;
  const auto below = [std](double x) { return (1 + std::erf(x / std / std::sqrt(2.0))) / 2; };
  weight.uniform_(2 * below(low) - 1, 2 * below(high) - 1);
  weight.erfinv_().mul_(std * std::sqrt(2.0)).clamp_(low, high);
}

}  // namespace networks
