// Networks written for LibTorch, without Levin. The tests add what is needed to train them.
#pragma once
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/pimpl.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace foreign {

// With the holder created by TORCH_MODULE, options and a criterion as a member.
struct PerceptronOptions {
  int64_t in = 4, out = 3;
};
struct PerceptronImpl : torch::nn::Cloneable<PerceptronImpl> {
  PerceptronOptions options;
  torch::nn::Linear fc{nullptr};
  explicit PerceptronImpl(PerceptronOptions o = {}) : options(o) { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(options.in, options.out)); }
  torch::Tensor forward(torch::Tensor& x) { return fc(x.flatten(1)); }  // takes an lvalue
};
TORCH_MODULE(Perceptron);

// Auxiliary scores in a struct, undefined in evaluation, as in torchvision's GoogLeNet.
struct AuxiliaryOutput {
  torch::Tensor output, aux;
};
struct Inception : torch::nn::Module {
  torch::nn::Linear fc{nullptr}, aux{nullptr};
  Inception() {
    fc = register_module("fc", torch::nn::Linear(4, 3));
    aux = register_module("aux", torch::nn::Linear(4, 3));
  }
  AuxiliaryOutput forward(const torch::Tensor& x) { return {fc(x), is_training() ? aux(x) : torch::Tensor()}; }
};

// The same as a tuple.
struct TwoHeads : Inception {
  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& x) {
    const AuxiliaryOutput y = Inception::forward(x);
    return {y.output, y.aux};
  }
};

// Scores and the hidden state.
struct Recurrent : torch::nn::Module {
  torch::nn::LSTM lstm{nullptr};
  torch::nn::Linear fc{nullptr};
  Recurrent() {
    lstm = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(1, 5).batch_first(true)));
    fc = register_module("fc", torch::nn::Linear(5, 3));
  }
  std::tuple<torch::Tensor, std::pair<torch::Tensor, torch::Tensor>> forward(torch::Tensor x) {
    auto [y, state] = lstm(x.unsqueeze(2));
    return {fc(y.select(1, -1)), {std::get<0>(state), std::get<1>(state)}};
  }
};

// The output of an autoencoder: the sampled image, and the mean and variance of its latent distribution.
struct Drawn {
  torch::Tensor image, mean, variance;
};
struct Variational : torch::nn::Module {
  torch::nn::Linear mean{nullptr}, variance{nullptr}, out{nullptr};
  Variational() {
    mean = register_module("mean", torch::nn::Linear(4, 2));
    variance = register_module("variance", torch::nn::Linear(4, 2));
    out = register_module("out", torch::nn::Linear(2, 4));
  }
  Drawn forward(torch::Tensor x) {
    const torch::Tensor m = mean(x), v = variance(x);
    return {out(m + torch::randn_like(m) * (v / 2).exp()), m, v};
  }
};

// Moves an unregistered tensor, and freezes its batch norm in every call of train.
struct Frozen : torch::nn::Module {
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Linear fc{nullptr};
  torch::Tensor scale = torch::ones({1});
  int moves = 0, clears = 0;
  Frozen() {
    norm = register_module("norm", torch::nn::BatchNorm1d(4));
    fc = register_module("fc", torch::nn::Linear(4, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(norm(x)) * scale; }
  using torch::nn::Module::to;
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    ++moves;
  }
  void to(torch::Dtype dtype, bool non_blocking = false) override {
    torch::nn::Module::to(dtype, non_blocking);
    scale = scale.to(dtype);
    ++moves;
  }
  void train(bool on = true) override {
    torch::nn::Module::train(on);
    norm->eval();
  }
  void zero_grad(bool set_to_none) override {
    torch::nn::Module::zero_grad(set_to_none);
    ++clears;
  }
};

}  // namespace foreign
