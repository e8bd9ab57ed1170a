// bench-kernels
//
// Measures the kernels of core/kernels beside LibTorch's: the minimum CPU time of many calls, in one thread, on shapes
// of the benchmarks' networks. A table in Markdown.
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm_cpu_dispatch.h>
#include <ATen/ops/bmm_cpu_dispatch.h>
#include <ATen/ops/convolution_backward_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/convolution_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/lstm_compositeimplicitautograd_dispatch.h>
#include <ATen/ops/max_pool2d_with_indices_cpu_dispatch.h>
#include <ATen/ops/mse_loss_backward_cpu_dispatch.h>
#include <ATen/ops/mse_loss_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_backward_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_cpu_dispatch.h>
#include <ATen/ops/t_native.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/cost.hpp"
#include "core/kernels/cpu_kernels.hpp"

using at::Tensor;

namespace {

template <class F>
double milliseconds(const F& f) {
  f();
  double least = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double begin = levin_bench::seconds(CLOCK_PROCESS_CPUTIME_ID);
    int calls = 0;
    double spent = 0;
    do {
      f();
      ++calls;
      spent = levin_bench::seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    } while (spent < 0.05);
    least = std::min(least, spent / calls);
  }
  return 1e3 * least;
}

template <class Ours, class Theirs>
void row(const char* name, const std::vector<int64_t>& sizes, const Ours& ours, const Theirs& theirs) {
  const double without = milliseconds(theirs), with = milliseconds(ours);
  std::string shape;
  for (const int64_t size : sizes) shape += (shape.empty() ? "" : "x") + std::to_string(size);
  std::printf("| %s | %s | %.3g | %.3g | %.1f |\n", name, shape.c_str(), without, with, without / with);
}

std::string name_of(at::MemoryFormat format) {
  return format == at::MemoryFormat::ChannelsLast ? ", channels_last" : "";
}

void pool(const std::vector<int64_t>& sizes, int64_t kernel, int64_t stride, int64_t padding, at::MemoryFormat format) {
  const Tensor input = at::randn(sizes).contiguous(format);
  const std::vector<int64_t> k = {kernel, kernel}, s = {stride, stride}, p = {padding, padding}, d = {1, 1};
  const std::string name = "max pooling " + std::to_string(kernel) + "x" + std::to_string(kernel) + ", stride " +
                           std::to_string(stride) + name_of(format);
  row(
      name.c_str(), sizes, [&] { at::max_pool2d_with_indices(input, k, s, p, d); },
      [&] { at::cpu::max_pool2d_with_indices(input, k, s, p, d); });
}

void norm(const std::vector<int64_t>& sizes, at::MemoryFormat format) {
  const Tensor input = at::randn(sizes).contiguous(format), gradient = at::randn(sizes).contiguous(format);
  const Tensor weight = at::rand({sizes[1]}), bias = at::rand({sizes[1]});
  const Tensor mean = at::zeros({sizes[1]}), var = at::ones({sizes[1]});
  row(("batch norm, forward" + name_of(format)).c_str(), sizes,
      [&] { at::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5); },
      [&] { at::cpu::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5); });
  const auto saved = at::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5);
  const Tensor means = std::get<1>(saved), inverse_stds = std::get<2>(saved);
  row(("batch norm, backward" + name_of(format)).c_str(), sizes,
      [&] {
        at::native_batch_norm_backward(gradient, input, weight, mean, var, means, inverse_stds, true, 1e-5,
                                       {true, true, true});
      },
      [&] {
        at::cpu::native_batch_norm_backward(gradient, input, weight, mean, var, means, inverse_stds, true, 1e-5,
                                            {true, true, true});
      });
}

// The backward of a convolution from `in` to `out` channels, of size x size images.
void convolution(int64_t batch, int64_t in, int64_t out, int64_t size, int64_t kernel) {
  const Tensor input = at::randn({batch, in, size, size}), weight = at::randn({out, in, kernel, kernel});
  const Tensor gradient = at::randn({batch, out, size - kernel + 1, size - kernel + 1});
  const std::vector<int64_t> one = {1, 1}, zero = {0, 0}, bias = {out};
  const std::array<bool, 3> all = {true, true, true};
  const std::string name = "convolution " + std::to_string(kernel) + "x" + std::to_string(kernel) + " to " +
                           std::to_string(out) + " channels, backward";
  row(
      name.c_str(), {batch, in, size, size},
      [&] {
        at::convolution_backward(gradient, input, weight, at::IntArrayRef(bias), one, zero, one, false, zero, 1, all);
      },
      [&] {
        const at::AutoDispatchBelowADInplaceOrView below;
        at::compositeexplicitautograd::convolution_backward(gradient, input, weight, at::IntArrayRef(bias), one, zero,
                                                            one, false, zero, 1, all);
      });
}

// A 3x3 convolution of `channels` to as many, of size x size images, that keeps the size.
void convolution_3x3(int64_t batch, int64_t channels, int64_t size, at::MemoryFormat format) {
  const std::vector<int64_t> sizes = {batch, channels, size, size}, one = {1, 1}, zero = {0, 0};
  const Tensor input = at::randn(sizes).contiguous(format), gradient = at::randn(sizes).contiguous(format);
  const Tensor weight = at::randn({channels, channels, 3, 3}).contiguous(format);
  const auto forward = [&](const auto& function) {
    function(input, weight, c10::nullopt, one, one, one, false, zero, 1);
  };
  const auto backward = [&](const auto& function) {
    function(gradient, input, weight, c10::nullopt, one, one, one, false, zero, 1,
             std::array<bool, 3>{true, true, false});
  };
  row(("convolution 3x3, forward" + name_of(format)).c_str(), sizes,
      [&] { forward([](auto&&... arguments) { at::convolution(arguments...); }); },
      [&] {
        const at::AutoDispatchBelowADInplaceOrView below;
        forward([](auto&&... arguments) { at::compositeexplicitautograd::convolution(arguments...); });
      });
  row(("convolution 3x3, backward" + name_of(format)).c_str(), sizes,
      [&] { backward([](auto&&... arguments) { at::convolution_backward(arguments...); }); },
      [&] {
        const at::AutoDispatchBelowADInplaceOrView below;
        backward([](auto&&... arguments) { at::compositeexplicitautograd::convolution_backward(arguments...); });
      });
}

// x [rows, in] times the transposed weights [out, in] of a layer.
void linear(int64_t rows, int64_t in, int64_t out) {
  const Tensor x = at::randn({rows, in}), weight = at::randn({out, in}), bias = at::randn({out});
  row(
      "addmm, weights transposed", {rows, in, out}, [&] { at::addmm(bias, x, weight.t()); },
      [&] { at::cpu::addmm(bias, x, weight.t()); });
}

void mean_squared_error(int64_t size) {
  const Tensor a = at::randn({size, 1}), b = at::randn({size, 1}), gradient = at::ones({});
  row(
      "mean squared error, forward", {size}, [&] { at::mse_loss(a, b); }, [&] { at::cpu::mse_loss(a, b); });
  row(
      "mean squared error, backward", {size}, [&] { at::mse_loss_backward(gradient, a, b, at::Reduction::Mean); },
      [&] { at::cpu::mse_loss_backward(gradient, a, b, at::Reduction::Mean); });
}

void transposed_view() {
  const Tensor matrix = at::randn({64, 64});
  row(
      "transposed view", {64, 64}, [&] { at::t(matrix); }, [&] { at::native::t(matrix); });
}

void products(int64_t batch, int64_t m, int64_t k, int64_t n, bool a_transposed, bool b_transposed) {
  const Tensor a = a_transposed ? at::randn({batch, k, m}).transpose(1, 2) : at::randn({batch, m, k});
  const Tensor b = b_transposed ? at::randn({batch, n, k}).transpose(1, 2) : at::randn({batch, k, n});
  const char* const name = a_transposed   ? "bmm, the first transposed"
                           : b_transposed ? "bmm, the second transposed"
                                          : "bmm";
  row(
      name, {batch, m, k, n}, [&] { at::bmm(a, b); }, [&] { at::cpu::bmm(a, b); });
}

// One layer, forward or forward and backward.
void lstm(int64_t steps, int64_t batch, int64_t inputs, int64_t width, bool training) {
  const at::AutoGradMode mode(training);
  const auto parameter = [&](at::IntArrayRef sizes) { return (at::rand(sizes) * 0.2 - 0.1).requires_grad_(training); };
  const Tensor input = at::randn({steps, batch, inputs}).requires_grad_(training);
  const std::vector<Tensor> states(2, at::zeros({1, batch, width}));
  const std::vector<Tensor> parameters = {parameter({4 * width, inputs}), parameter({4 * width, width}),
                                          parameter({4 * width}), parameter({4 * width})};
  std::vector<Tensor> all = parameters;
  all.push_back(input);
  const auto run = [&](const auto& function) {
    const Tensor out = std::get<0>(function(input, states, parameters, true, 1, 0.0, training, false, false));
    if (training) torch::autograd::grad({out}, all, {at::ones_like(out)});
  };
  row(
      training ? "LSTM, forward and backward" : "LSTM, forward", {steps, batch, inputs, width},
      [&] { run([](auto&&... arguments) { return at::lstm(arguments...); }); },
      [&] { run([](auto&&... arguments) { return at::compositeimplicitautograd::lstm(arguments...); }); });
}

}  // namespace

int main() {
  at::set_num_threads(1);
  const at::NoGradGuard no_grad;
  levin::core::use_cpu_kernels();
  std::printf("| kernel | input | LibTorch, ms | Levin, ms | ratio |\n| --- | --- | ---: | ---: | ---: |\n");
  using Shapes = std::vector<std::vector<int64_t>>;
  for (const at::MemoryFormat format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    for (const auto& sizes : Shapes{{128, 10, 24, 24}, {1024, 10, 24, 24}, {1024, 20, 8, 8}})
      pool(sizes, 2, 2, 0, format);
    pool({16, 64, 112, 112}, 3, 2, 1, format);
  }
  for (const auto& sizes :
       Shapes{{128, 16, 28, 28}, {128, 32, 14, 14}, {128, 64, 7, 7}, {128, 512, 4, 4}, {16, 64, 112, 112}, {1024, 256}})
    norm(sizes, at::MemoryFormat::Contiguous);
  for (const auto& sizes : Shapes{{128, 16, 14, 14},
                                  {128, 32, 7, 7},
                                  {128, 64, 4, 4},
                                  {1024, 10, 12, 12},
                                  {1024, 20, 4, 4},
                                  {128, 512, 4, 4},
                                  {128, 16, 32, 32}})
    norm(sizes, at::MemoryFormat::ChannelsLast);
  convolution(128, 10, 20, 12, 5);
  convolution(1024, 10, 20, 12, 5);
  convolution(128, 20, 30, 12, 3);
  convolution(128, 24, 40, 14, 3);
  for (const at::MemoryFormat format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast})
    for (const auto& sizes : Shapes{{128, 16, 14},
                                    {128, 32, 7},
                                    {128, 64, 4},
                                    {16, 64, 32},
                                    {16, 128, 16},
                                    {16, 256, 8},
                                    {16, 512, 4},
                                    {4, 64, 56},
                                    {4, 128, 28},
                                    {4, 256, 14}})
      convolution_3x3(sizes[0], sizes[1], sizes[2], format);
  for (const auto& sizes : Shapes{{2048, 64, 192},
                                  {2048, 64, 64},
                                  {2048, 64, 256},
                                  {2048, 256, 64},
                                  {128, 512, 10},
                                  {1, 8, 8},
                                  {1, 64, 64},
                                  {3, 64, 64}})
    linear(sizes[0], sizes[1], sizes[2]);
  products(128, 64, 16, 64, false, true);
  products(128, 64, 64, 16, false, false);
  products(128, 64, 64, 16, true, false);
  for (const int64_t size : {1, 32, 2048}) mean_squared_error(size);
  transposed_view();
  for (const bool training : {false, true}) {
    lstm(64, 32, 64, 128, training);
    lstm(64, 32, 256, 512, training);
    lstm(64, 1, 64, 128, training);
  }
}
