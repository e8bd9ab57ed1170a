// bench-kernels
//
// Measures the kernels of core/kernels beside LibTorch's: the minimum CPU time of many calls, in one thread, on shapes
// of the benchmarks' networks. A table in Markdown.
#include <ATen/Parallel.h>
#include <ATen/ops/max_pool2d_with_indices_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_backward_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_cpu_dispatch.h>
#include <torch/types.h>

#include <algorithm>
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
  std::printf("| %s | %s | %.3f | %.3f | %.1f |\n", name, shape.c_str(), without, with, without / with);
}

void pool(const std::vector<int64_t>& sizes, int64_t kernel, int64_t stride, int64_t padding) {
  const Tensor input = at::randn(sizes);
  const std::vector<int64_t> k = {kernel, kernel}, s = {stride, stride}, p = {padding, padding}, d = {1, 1};
  const std::string name =
      "max pooling " + std::to_string(kernel) + "x" + std::to_string(kernel) + ", stride " + std::to_string(stride);
  row(
      name.c_str(), sizes, [&] { at::max_pool2d_with_indices(input, k, s, p, d); },
      [&] { at::cpu::max_pool2d_with_indices(input, k, s, p, d); });
}

void norm(const std::vector<int64_t>& sizes) {
  const Tensor input = at::randn(sizes), gradient = at::randn(sizes), weight = at::rand({sizes[1]}),
               bias = at::rand({sizes[1]});
  const Tensor mean = at::zeros({sizes[1]}), var = at::ones({sizes[1]});
  row(
      "batch norm, forward", sizes, [&] { at::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5); },
      [&] { at::cpu::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5); });
  const auto saved = at::native_batch_norm(input, weight, bias, mean, var, true, 0.1, 1e-5);
  const Tensor means = std::get<1>(saved), inverse_stds = std::get<2>(saved);
  row(
      "batch norm, backward", sizes,
      [&] {
        at::native_batch_norm_backward(gradient, input, weight, mean, var, means, inverse_stds, true, 1e-5,
                                       {true, true, true});
      },
      [&] {
        at::cpu::native_batch_norm_backward(gradient, input, weight, mean, var, means, inverse_stds, true, 1e-5,
                                            {true, true, true});
      });
}

}  // namespace

int main() {
  at::set_num_threads(1);
  const at::NoGradGuard no_grad;
  levin::core::use_cpu_kernels();
  std::printf("| kernel | input | LibTorch, ms | Levin, ms | ratio |\n| --- | --- | ---: | ---: | ---: |\n");
  pool({128, 10, 24, 24}, 2, 2, 0);
  pool({1024, 10, 24, 24}, 2, 2, 0);
  pool({1024, 20, 8, 8}, 2, 2, 0);
  pool({16, 64, 112, 112}, 3, 2, 1);
  for (const auto& sizes : std::vector<std::vector<int64_t>>{
           {128, 16, 28, 28}, {128, 32, 14, 14}, {128, 64, 7, 7}, {128, 512, 4, 4}, {16, 64, 112, 112}, {1024, 256}})
    norm(sizes);
}
