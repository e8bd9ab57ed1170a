// bench-finite
//
// Measures the check that the loss and all gradients of a step are finite, and compares it with the optimizer's step:
// the minimum thread CPU time of many runs, with gradients in the cache, as after the backward pass of a small model.
#include <ATen/Parallel.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/loops/optimization/non_finite_watch.hpp"
#include "core/optim/optimizers/optimizer.hpp"

using namespace levin::core;

namespace {

struct Shapes {
  const char* name;
  std::vector<std::vector<int64_t>> all;
};
const Shapes models[] = {
    {"mlp 64-128-10", {{128, 64}, {128}, {10, 128}, {10}}},
    {"mlp 784-512-512-10", {{512, 784}, {512}, {512, 512}, {512}, {10, 512}, {10}}},
    {"120 tensors of 64 x 64 x 3 x 3", std::vector<std::vector<int64_t>>(120, {64, 64, 3, 3})},
};

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double microseconds(int64_t elements, const F& f) {
  const int64_t calls = std::max<int64_t>(1, 4'000'000 / elements);
  double least = 1e9;
  for (int round = 0; round < 60; ++round) {
    const double begin = seconds();
    for (int64_t i = 0; i < calls; ++i) f();
    least = std::min(least, (seconds() - begin) / static_cast<double>(calls));
  }
  return 1e6 * least;
}

}  // namespace

int main() {
  at::set_num_threads(1);
  std::printf(
      "| model | numbers | the look, us | a step of sgd, us | of adam, us |\n| --- | ---: | ---: | ---: | ---: |\n");
  for (const Shapes& shapes : models) {
    ParamGroup group;
    int64_t elements = 0;
    for (const auto& shape : shapes.all) {
      at::Tensor p = at::ones(shape).set_requires_grad(true);
      p.mutable_grad() = at::full(shape, 1e-6);
      elements += p.numel();
      group.names.push_back(std::to_string(group.params.size()));
      group.params.push_back(p);
    }
    const at::Tensor loss = at::ones({});
    const auto sgd = make_optimizer("sgd", {{"lr", 1e-9}}, {group}),
               adam = make_optimizer("adam", {{"lr", 1e-9}}, {group});
    NonFiniteWatch watch;
    const double look = microseconds(elements, [&] {
      watch.forget_losses();
      watch.see_loss(loss);
      if (!watch.passes(*sgd, {}, false) || !watch.take(false).empty()) std::abort();
    });
    std::printf("| %s | %lld | %.2f | %.2f | %.2f |\n", shapes.name, static_cast<long long>(elements), look,
                microseconds(elements, [&] { sgd->step(); }), microseconds(elements, [&] { adam->step(); }));
  }
}
