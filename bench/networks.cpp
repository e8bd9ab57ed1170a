#include "bench/networks.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/rnn.h>

#include <cmath>

#include "plugins/cnn/cnn.hpp"
#include "plugins/resnet/resnet.hpp"

namespace levin_bench {
namespace {

using torch::Tensor;
using torch::nn::Embedding;
using torch::nn::LayerNorm;
using torch::nn::LayerNormOptions;
using torch::nn::Linear;

struct Mlp : Net {
  explicit Mlp(const std::vector<int64_t>& widths) {
    for (size_t i = 0; i + 1 < widths.size(); ++i)
      layers.push_back(register_module("layer" + std::to_string(i), Linear(widths[i], widths[i + 1])));
  }
  Tensor loss(const Tensor& input, const Tensor& y) override {
    Tensor x = layers[0](input);
    for (size_t i = 1; i < layers.size(); ++i) x = layers[i](x.relu());
    return x.size(1) > 1 ? at::cross_entropy_loss(x, y) : at::mse_loss(x, y.view_as(x));
  }
  std::vector<Linear> layers;
};

struct SmallCnn : Net {
  SmallCnn() : net(register_module("net", std::make_shared<cnn::Net>(1, 28, 28, 10))) {}
  Tensor loss(const Tensor& x, const Tensor& y) override { return at::nll_loss(net->forward(x), y); }
  std::shared_ptr<cnn::Net> net;
};

struct ResNet : Net {
  ResNet(const resnet::Shape& shape, int64_t channels, int64_t classes)
      : net(register_module("net", std::make_shared<resnet::ResNetImpl>(shape, channels, classes))) {}
  Tensor loss(const Tensor& x, const Tensor& y) override {
    return at::cross_entropy_loss(net->forward(x), y, {}, at::Reduction::Mean, -100, 0.1);
  }
  std::shared_ptr<resnet::ResNetImpl> net;
};

Tensor next_character_loss(const Tensor& answer, const Tensor& x) {
  return at::cross_entropy_loss(answer.flatten(0, 1), x.narrow(1, 1, x.size(1) - 1).flatten());
}

struct Lstm : Net {
  static constexpr int64_t width = 64, hidden = 128;
  Lstm()
      : embedding(register_module("embedding", Embedding(vocabulary, width))),
        lstm(register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(width, hidden).batch_first(true)))),
        out(register_module("out", Linear(hidden, vocabulary))) {}
  Tensor loss(const Tensor& x, const Tensor&) override {
    const Tensor states = std::get<0>(lstm(embedding(x.narrow(1, 0, x.size(1) - 1))));
    return next_character_loss(out(states), x);
  }
  Embedding embedding;
  torch::nn::LSTM lstm;
  Linear out;
};

struct Layer : torch::nn::Module {
  static constexpr int64_t width = 64, heads = 4;
  Layer()
      : norm1(register_module("norm1", LayerNorm(LayerNormOptions({width})))),
        norm2(register_module("norm2", LayerNorm(LayerNormOptions({width})))),
        qkv(register_module("qkv", Linear(width, 3 * width))),
        merge(register_module("merge", Linear(width, width))),
        up(register_module("up", Linear(width, 4 * width))),
        down(register_module("down", Linear(4 * width, width))) {}
  Tensor forward(const Tensor& input, const Tensor& mask) {
    const Tensor x = input + merge(attention(norm1(input), mask));
    return x + down(at::gelu(up(norm2(x))));
  }
  Tensor attention(const Tensor& x, const Tensor& mask) {
    const int64_t rows = x.size(0), length = x.size(1);
    const Tensor parts = qkv(x).view({rows, length, 3, heads, width / heads}).permute({2, 0, 3, 1, 4});
    const Tensor scores = at::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(width / heads) + mask;
    return at::matmul(at::softmax(scores, -1), parts[2]).transpose(1, 2).reshape({rows, length, width});
  }
  LayerNorm norm1, norm2;
  Linear qkv, merge, up, down;
};

struct Transformer : Net {
  static constexpr int64_t longest = 64;
  Transformer()
      : characters(register_module("characters", Embedding(vocabulary, Layer::width))),
        places(register_module("places", Embedding(longest, Layer::width))),
        layers{register_module("layer0", std::make_shared<Layer>()),
               register_module("layer1", std::make_shared<Layer>())},
        norm(register_module("norm", LayerNorm(LayerNormOptions({Layer::width})))),
        out(register_module("out", Linear(Layer::width, vocabulary))),
        place(register_buffer("place", at::arange(longest, at::kLong))),
        mask(register_buffer("mask", at::full({longest, longest}, -INFINITY).triu(1))) {}
  Tensor loss(const Tensor& input, const Tensor&) override {
    Tensor x = characters(input.narrow(1, 0, input.size(1) - 1)) + places(place);
    for (const auto& layer : layers) x = layer->forward(x, mask);
    return next_character_loss(out(norm(x)), input);
  }
  Embedding characters, places;
  std::vector<std::shared_ptr<Layer>> layers;
  LayerNorm norm;
  Linear out;
  Tensor place, mask;
};

struct Nothing : Net {
  Nothing() : number(register_parameter("number", at::zeros({}))) {}
  Tensor loss(const Tensor&, const Tensor&) override { return number * 1; }
  Tensor number;
};

}  // namespace

std::shared_ptr<Net> mlp(const std::vector<int64_t>& widths) { return std::make_shared<Mlp>(widths); }
std::shared_ptr<Net> small_cnn() { return std::make_shared<SmallCnn>(); }
std::shared_ptr<Net> default_resnet() {
  return std::make_shared<ResNet>(resnet::Shape{{1, 1, 1}, 16, false, resnet::Stem::small}, 1, 10);
}
std::shared_ptr<Net> resnet18_cifar() {
  return std::make_shared<ResNet>(resnet::torchvision_shape(18, resnet::Stem::cifar), 3, 10);
}
std::shared_ptr<Net> resnet18_imagenet() {
  return std::make_shared<ResNet>(resnet::torchvision_shape(18, resnet::Stem::imagenet), 3, 1000);
}
std::shared_ptr<Net> character_lstm() { return std::make_shared<Lstm>(); }
std::shared_ptr<Net> character_transformer() { return std::make_shared<Transformer>(); }
std::shared_ptr<Net> nothing() { return std::make_shared<Nothing>(); }

}  // namespace levin_bench
