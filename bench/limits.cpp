// bench-limits THREADS: what this machine can do at most, as JSON: GFLOP/s in a product of 1024 x 1024 matrices or in a
// 3x3 convolution of 64 channels, whichever is faster, and GB/s in a += s * b over arrays larger than the caches.
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/cost.hpp"

namespace {

// The least time of some rounds: by processor time for one thread, which other processes hardly change.
template <class F>
double least_seconds(int threads, int rounds, const F& f) {
  const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double begin = levin_bench::seconds(clock);
    f();
    least = std::min(least, levin_bench::seconds(clock) - begin);
  }
  return least;
}

double gigaflops(int threads) {
  const at::Tensor a = at::randn({1024, 1024}), b = at::randn({1024, 1024});
  const at::Tensor images = at::randn({16, 64, 32, 32}), weight = at::randn({64, 64, 3, 3});
  const double product = least_seconds(threads, 10, [&] { at::mm(a, b); });
  const double convolution = least_seconds(threads, 10, [&] { at::conv2d(images, weight, {}, 1, 1); });
  return std::max(2e-9 * 1024 * 1024 * 1024 / product, 2e-9 * 16 * 64 * 64 * 9 * 32 * 32 / convolution);
}

double gigabytes(int threads) {
  constexpr int64_t n = 32 << 20;
  const at::Tensor a = at::ones({n}), b = at::ones({n});
  return 3.0 * sizeof(float) * n / least_seconds(threads, 10, [&] { a.add_(b, 3); }) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  const at::NoGradGuard no_grad;
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  at::set_num_threads(threads);
  std::printf("{\"gflops\": %.1f, \"gb\": %.1f}\n", gigaflops(threads), gigabytes(threads));
}
