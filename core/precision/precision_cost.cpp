#include "core/precision/precision_cost.hpp"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <ctime>
#include <memory>

#include "core/precision/precision.hpp"

namespace levin::core {
namespace {

// Two convolutions of 16 channels and a linear layer, for 32 images.
struct SmallNetwork {
  explicit SmallNetwork(PrecisionType type) : precision(make_precision(type, at::kCPU)) {
    const auto weights = [this](at::IntArrayRef sizes) {
      return at::full(sizes, 0.01, precision->dtype()).set_requires_grad(true);
    };
    images = at::full({32, 16, 14, 14}, 0.5, precision->dtype());
    kernels = {weights({16, 16, 3, 3}), weights({16, 16, 3, 3})};
    matrix = weights({10, 16 * 14 * 14});
  }
  void step() {
    at::Tensor loss;
    precision->forward([&] {
      at::Tensor x = images;
      for (const at::Tensor& kernel : kernels) x = at::relu(at::conv2d(x, kernel, {}, 1, 1));
      loss = at::linear(x.flatten(1), matrix).to(at::kFloat).sum();
    });
    torch::autograd::grad({loss}, {kernels[0], kernels[1], matrix});
  }
  std::unique_ptr<Precision> precision;
  at::Tensor images, matrix;
  std::array<at::Tensor, 2> kernels;
};

// Returns the processor time of a step on all threads, which other programs disturb less than the time of the clock.
double cost_of_step(SmallNetwork& network) {
  const std::clock_t start = std::clock();
  network.step();
  return static_cast<double>(std::clock() - start);
}

}  // namespace

double measured_cost(PrecisionType bf16) {
  SmallNetwork plain(PrecisionType::true_32), shorter(bf16);
  plain.step();
  shorter.step();
  double plain_cost = 0, shorter_cost = 0;
  for (int round = 0; round < 10; ++round) {
    plain_cost += cost_of_step(plain);
    shorter_cost += cost_of_step(shorter);
  }
  return shorter_cost / plain_cost;
}

}  // namespace levin::core
