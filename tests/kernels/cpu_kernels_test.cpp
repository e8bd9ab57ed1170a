#include "core/kernels/cpu_kernels.hpp"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/convolution_backward_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/convolution_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/max_pool2d_with_indices_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_backward_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_cpu_dispatch.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <exception>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"

using namespace levin::core;
using at::Tensor;

namespace {

const float inf = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();

void begin() {
  use_cpu_kernels();
  at::manual_seed(1);
}

int64_t pick(int64_t low, int64_t high) { return at::randint(low, high + 1, {1}).item<int64_t>(); }

struct Pool {
  std::vector<int64_t> kernel, stride, padding, dilation;
  bool ceil_mode;
};

Pool random_pool() {
  Pool out{{pick(1, 4), pick(1, 4)}, {pick(1, 3), pick(1, 3)}, {}, {pick(1, 2), pick(1, 2)}, pick(0, 9) == 0};
  out.padding = {pick(0, out.kernel[0] / 2), pick(0, out.kernel[1] / 2)};
  if (pick(0, 3) == 0) out.stride = {};
  return out;
}

// Whole numbers, so that there are equal ones, with some that are infinite or NaN.
Tensor special_numbers(at::IntArrayRef sizes) {
  Tensor out = at::randint(-3, 4, sizes).to(at::kFloat);
  const Tensor where = at::rand(sizes);
  out.masked_fill_(where < 0.05, not_a_number)
      .masked_fill_(where > 0.95, inf)
      .masked_fill_((where > 0.5).logical_and(where < 0.7), -inf);
  return out;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.sizes() == b.sizes() && a.isnan().equal(b.isnan()) && a.nan_to_num(7, 8, 9).equal(b.nan_to_num(7, 8, 9));
}

// Returns the message of what f throws.
template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

// Both throw, or both give the same.
void check_pool(const Tensor& input, const Pool& of) {
  std::tuple<Tensor, Tensor> ours, theirs;
  const std::string their_error = error_of([&] {
    theirs = at::cpu::max_pool2d_with_indices(input, of.kernel, of.stride, of.padding, of.dilation, of.ceil_mode);
  });
  const std::string our_error = error_of(
      [&] { ours = at::max_pool2d_with_indices(input, of.kernel, of.stride, of.padding, of.dilation, of.ceil_mode); });
  INFO("input " << input.sizes() << " kernel " << at::IntArrayRef(of.kernel) << " stride " << at::IntArrayRef(of.stride)
                << " padding " << at::IntArrayRef(of.padding) << " dilation " << at::IntArrayRef(of.dilation));
  REQUIRE(our_error == their_error);
  if (!our_error.empty()) return;
  REQUIRE(same_bits(std::get<0>(ours), std::get<0>(theirs)));
  REQUIRE(std::get<1>(ours).equal(std::get<1>(theirs)));
}

double difference(const Tensor& a, const Tensor& b) {
  if ((!a.defined() && !b.defined()) || b.numel() == 0) return 0;
  REQUIRE(a.sizes() == b.sizes());
  return ((a - b).abs() / (1 + b.abs())).max().item<double>();
}

// The largest difference, as a part of the largest number.
double difference_of_largest(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  const Tensor exact = b.to(at::kDouble).nan_to_num(0, 0, 0);
  return ((a.to(at::kDouble).nan_to_num(0, 0, 0) - exact).abs().max() / exact.abs().max()).item<double>();
}

struct Norm {
  explicit Norm(std::vector<int64_t> sizes, at::ScalarType type = at::kFloat)
      : input((at::randn(sizes) * 3 + 5).to(type)),
        weight(at::rand({sizes[1]}).to(type)),
        bias(at::randn({sizes[1]}).to(type)),
        mean(at::randn({sizes[1]}).to(type)),
        var(at::rand({sizes[1]}).to(type)),
        gradient(at::randn(sizes).to(type)) {}
  Tensor input, weight, bias, mean, var, gradient;
};

Tensor last(const Tensor& images) { return images.contiguous(at::MemoryFormat::ChannelsLast); }

// Compared with exact results: LibTorch adds up the channels of a channels-last tensor in float.
void check_last_norm(Norm of, bool mixed = false) {
  INFO("input " << of.input.sizes());
  const Tensor in = last(of.input), gradient = mixed ? of.gradient : last(of.gradient);
  const auto wide = [](const Tensor& numbers) { return numbers.defined() ? numbers.to(at::kDouble) : numbers; };
  const auto copy = [](const Tensor& numbers) { return numbers.defined() ? numbers.clone() : numbers; };
  const Tensor mean = copy(of.mean), var = copy(of.var), exact_mean = wide(of.mean), exact_var = wide(of.var);
  const auto exact = at::cpu::native_batch_norm(of.input.to(at::kDouble), wide(of.weight), wide(of.bias), exact_mean,
                                                exact_var, true, 0.1, 1e-5);
  const auto theirs = at::cpu::native_batch_norm(in, of.weight, of.bias, mean, var, true, 0.1, 1e-5);
  const auto ours = at::native_batch_norm(in, of.weight, of.bias, of.mean, of.var, true, 0.1, 1e-5);
  CHECK(std::get<0>(ours).strides() == std::get<0>(theirs).strides());
  CHECK(difference(wide(std::get<0>(ours)), std::get<0>(exact)) < 1e-6);
  CHECK(difference(wide(std::get<1>(ours)), std::get<1>(exact)) < 1e-6);
  CHECK(difference(wide(std::get<2>(ours)), std::get<2>(exact)) < 1e-6);
  CHECK(difference(wide(of.mean), exact_mean) < 1e-6);
  CHECK(difference(wide(of.var), exact_var) < 1e-6);
  const auto backward = [&](const auto& function, const auto& as, std::array<bool, 3> wanted) {
    return function(as(gradient), as(in), as(of.weight), as(mean), as(var), as(std::get<1>(theirs)),
                    as(std::get<2>(theirs)), true, 1e-5, wanted);
  };
  const auto same = [](const Tensor& numbers) { return numbers; };
  for (const std::array<bool, 3> wanted :
       {std::array<bool, 3>{true, true, true}, {false, true, true}, {true, false, false}}) {
    const auto back = backward(at::native_batch_norm_backward, same, wanted);
    const auto precise = backward(at::cpu::native_batch_norm_backward, wide, wanted);
    if (wanted[0]) {
      CHECK(std::get<0>(back).strides() == in.strides());
      CHECK(difference(wide(std::get<0>(back)), std::get<0>(precise)) < 3e-6);
    }
    CHECK(difference(wide(std::get<1>(back)), std::get<1>(precise)) < 1e-4);
    CHECK(difference(wide(std::get<2>(back)), std::get<2>(precise)) < 1e-4);
    CHECK(std::get<0>(back).defined() == wanted[0]);
    CHECK(std::get<1>(back).defined() == wanted[1]);
  }
}

void check_norm(Norm of, bool training = true) {
  INFO("input " << of.input.sizes() << (of.input.is_contiguous() ? "" : ", strided"));
  const Tensor mean = of.mean.defined() ? of.mean.clone() : Tensor(),
               var = of.var.defined() ? of.var.clone() : Tensor();
  const auto theirs = at::cpu::native_batch_norm(of.input, of.weight, of.bias, mean, var, training, 0.1, 1e-5);
  const auto ours = at::native_batch_norm(of.input, of.weight, of.bias, of.mean, of.var, training, 0.1, 1e-5);
  CHECK(difference(std::get<0>(ours), std::get<0>(theirs)) < 3e-6);
  CHECK(difference(std::get<1>(ours), std::get<1>(theirs)) < 1e-6);
  CHECK(difference(std::get<2>(ours), std::get<2>(theirs)) < 1e-6);
  CHECK(difference(of.mean, mean) < 1e-6);
  CHECK(difference(of.var, var) < 1e-6);
  for (const std::array<bool, 3> wanted :
       {std::array<bool, 3>{true, true, true}, {false, true, true}, {true, false, false}}) {
    const auto back = at::native_batch_norm_backward(of.gradient, of.input, of.weight, mean, var, std::get<1>(theirs),
                                                     std::get<2>(theirs), training, 1e-5, wanted);
    const auto expected = at::cpu::native_batch_norm_backward(
        of.gradient, of.input, of.weight, mean, var, std::get<1>(theirs), std::get<2>(theirs), training, 1e-5, wanted);
    CHECK(difference(std::get<0>(back), std::get<0>(expected)) < 3e-6);
    CHECK(difference(std::get<1>(back), std::get<1>(expected)) < 1e-4);
    CHECK(difference(std::get<2>(back), std::get<2>(expected)) < 1e-4);
  }
}

// The gradients of a convolution of `input`.
struct Convolution {
  Tensor input, weight, gradient;
  std::vector<int64_t> stride, padding, dilation;
  int64_t groups = 1;

  template <class F>
  auto backward(const F& function, std::array<bool, 3> wanted) const {
    const int64_t out_channels = weight.size(0);
    return function(gradient, input, weight, at::IntArrayRef(out_channels), stride, padding, dilation, false,
                    std::vector<int64_t>(stride.size(), 0), groups, wanted);
  }
};

Convolution random_convolution() {
  Convolution out{{}, {}, {}, {pick(1, 2), pick(1, 2)}, {pick(0, 2), pick(0, 2)}, {pick(1, 2), pick(1, 2)}};
  out.groups = pick(0, 5) == 0 ? 2 : 1;
  out.input = at::randn({pick(1, 4), out.groups * pick(1, 40), pick(9, 20), pick(9, 20)});
  out.weight = at::randn({out.groups * pick(1, 40), out.input.size(1) / out.groups, pick(1, 5), pick(1, 5)});
  const Tensor result = at::conv2d(out.input, out.weight, {}, out.stride, out.padding, out.dilation, out.groups);
  out.gradient = at::randn(result.sizes());
  return out;
}

void check_convolution(const Convolution& of) {
  INFO("input " << of.input.sizes() << ", weight " << of.weight.sizes() << ", stride " << at::IntArrayRef(of.stride)
                << ", padding " << at::IntArrayRef(of.padding) << ", dilation " << at::IntArrayRef(of.dilation));
  const auto ours_of = [](auto&&... arguments) { return at::convolution_backward(arguments...); };
  const auto theirs_of = [](auto&&... arguments) {
    const at::AutoDispatchBelowADInplaceOrView below;
    return at::compositeexplicitautograd::convolution_backward(arguments...);
  };
  for (const std::array<bool, 3> wanted :
       {std::array<bool, 3>{true, true, true}, {false, true, true}, {true, false, false}, {true, true, false}}) {
    const auto ours = of.backward(ours_of, wanted), theirs = of.backward(theirs_of, wanted);
    const auto check = [](const Tensor& a, const Tensor& b) {
      REQUIRE(a.defined() == b.defined());
      if (!a.defined()) return;
      CHECK(a.is_contiguous() == b.is_contiguous());
      CHECK(a.isnan().equal(b.isnan()));
      CHECK(a.isfinite().equal(b.isfinite()));
      CHECK(difference_of_largest(a, b) < 2e-5);
    };
    check(std::get<0>(ours), std::get<0>(theirs));
    check(std::get<1>(ours), std::get<1>(theirs));
    check(std::get<2>(ours), std::get<2>(theirs));
  }
}

}  // namespace

TEST_CASE("the gradients of a convolution are LibTorch's to rounding") {
  begin();
  for (int i = 0; i < 60; ++i) check_convolution(random_convolution());
  const auto usual = [](at::ScalarType type) {
    return Convolution{at::randn({8, 10, 12, 12}).to(type),
                       at::randn({20, 10, 5, 5}).to(type),
                       at::randn({8, 20, 8, 8}).to(type),
                       {1, 1},
                       {0, 0},
                       {1, 1}};
  };
  check_convolution(usual(at::kFloat));
  check_convolution(usual(at::kDouble));
  Convolution other = usual(at::kFloat);
  other.input[1][3][4][4] = not_a_number;
  other.gradient[2][5][1][1] = not_a_number;
  check_convolution(other);
  other = usual(at::kFloat);
  other.input = last(other.input);
  check_convolution(other);
  other = usual(at::kFloat);
  other.gradient = at::ones({1}).expand({8, 20, 8, 8});
  check_convolution(other);
}

namespace {

// A 3x3 convolution of the kind that is computed by Winograd's algorithm.
Convolution random_3x3() {
  Convolution out{{}, {}, {}, {1, 1}, {pick(0, 2), pick(0, 2)}, {1, 1}};
  out.input = at::randn({pick(4, 9), pick(16, 40), pick(7, 20), pick(7, 20)});
  out.weight = at::randn({pick(16, 40), out.input.size(1), 3, 3});
  out.gradient = at::randn({out.input.size(0), out.weight.size(0), out.input.size(2) + 2 * out.padding[0] - 2,
                            out.input.size(3) + 2 * out.padding[1] - 2});
  for (Tensor* tensor : {&out.input, &out.weight, &out.gradient})
    if (pick(0, 1) == 1) *tensor = last(*tensor);
  return out;
}

void check_output(const Convolution& of, const Tensor& bias) {
  INFO("input " << of.input.sizes() << ", strides " << of.input.strides() << ", weight " << of.weight.sizes()
                << ", strides " << of.weight.strides() << ", padding " << at::IntArrayRef(of.padding));
  const std::vector<int64_t> zero = {0, 0};
  const Tensor ours = at::convolution(of.input, of.weight, bias, of.stride, of.padding, of.dilation, false, zero, 1);
  const at::AutoDispatchBelowADInplaceOrView below;
  const Tensor theirs = at::compositeexplicitautograd::convolution(of.input, of.weight, bias, of.stride, of.padding,
                                                                   of.dilation, false, zero, 1);
  CHECK(ours.strides() == theirs.strides());
  CHECK(ours.isnan().equal(theirs.isnan()));
  CHECK(ours.isfinite().equal(theirs.isfinite()));
  CHECK(difference_of_largest(ours, theirs) < 2e-5);
}

}  // namespace

TEST_CASE("3x3 convolutions are LibTorch's to rounding, in any memory format") {
  begin();
  for (int i = 0; i < 60; ++i) {
    const Convolution of = random_3x3();
    check_output(of, pick(0, 1) == 1 ? at::randn({of.weight.size(0)}) : Tensor());
    check_convolution(of);
  }
}

TEST_CASE("3x3 convolutions spread numbers that are not finite as LibTorch does") {
  begin();
  for (const float odd : {not_a_number, inf, -inf, 3e38F})
    for (int i = 0; i < 4; ++i) {
      Convolution of = random_3x3();
      of.input[1][3][4][5] = odd;
      check_output(of, {});
      check_convolution(of);
      of = random_3x3();
      of.weight[2][5][1][0] = odd;
      check_output(of, {});
      check_convolution(of);
      of = random_3x3();
      of.gradient[1][2][3][3] = odd;
      check_convolution(of);
    }
}

TEST_CASE("3x3 convolutions of wide layers are exact to 2e-5 of the largest number, and the same for any threads") {
  begin();
  const int before = at::get_num_threads();
  const bool is_last = GENERATE(false, true);
  Convolution of{
      at::randn({16, 512, 4, 4}), at::randn({300, 512, 3, 3}), at::randn({16, 300, 4, 4}), {1, 1}, {1, 1}, {1, 1}};
  if (is_last) of.input = last(of.input);
  const auto run = [](const Convolution& one) {
    const std::vector<int64_t> zero = {0, 0};
    const auto back =
        one.backward([](auto&&... arguments) { return at::convolution_backward(arguments...); }, {true, true, true});
    return std::vector<Tensor>{
        at::convolution(one.input, one.weight, {}, one.stride, one.padding, one.dilation, false, zero, 1),
        std::get<0>(back), std::get<1>(back), std::get<2>(back)};
  };
  at::set_num_threads(1);
  const auto one = run(of);
  at::set_num_threads(4);
  const auto four = run(of);
  at::set_num_threads(before);
  for (Tensor* tensor : {&of.input, &of.weight, &of.gradient}) *tensor = tensor->to(at::kDouble);
  const auto exact = run(of);
  for (size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].equal(four[i]));
    CHECK(difference_of_largest(one[i], exact[i]) < 2e-5);
  }
}

TEST_CASE("max pooling gives LibTorch's bits for any kernel, stride, padding, dilation and shape") {
  begin();
  for (int i = 0; i < 400; ++i) {
    const std::vector<int64_t> sizes = {pick(1, 3), pick(1, 3), pick(1, 40), pick(1, 40)};
    check_pool(special_numbers(sizes), random_pool());
  }
  for (int i = 0; i < 400; ++i) {
    Pool of = random_pool();
    of.kernel = std::vector<int64_t>(2, pick(2, 3));
    of.padding = {pick(0, 1), pick(0, 1)};
    check_pool(last(special_numbers({pick(1, 3), pick(1, 40), pick(1, 20), pick(1, 20)})), of);
  }
  check_pool(special_numbers({3, 17, 23}), {{2, 2}, {2, 2}, {0, 0}, {1, 1}, false});
  check_pool(special_numbers({2, 3, 64, 64}), {{2}, {}, {0}, {1}, false});
}

TEST_CASE("max pooling of other tensors, and refusals, are LibTorch's") {
  begin();
  const Pool usual{{2, 2}, {2, 2}, {0, 0}, {1, 1}, false};
  const Tensor numbers = special_numbers({2, 3, 8, 10});
  check_pool(numbers.to(at::kDouble), usual);
  check_pool(last(numbers), {{2, 3}, {2, 2}, {0, 0}, {1, 1}, false});
  check_pool(last(numbers), {{2, 2}, {2, 2}, {0, 0}, {1, 1}, true});
  check_pool(last(numbers.to(at::kDouble)), usual);
  check_pool(numbers.transpose(2, 3), usual);
  check_pool(at::empty({0, 3, 8, 8}), usual);
  check_pool(at::empty({2, 0, 8, 8}), usual);
  check_pool(special_numbers({4, 4}), usual);
  check_pool(special_numbers({1, 1, 2, 2}), {{3, 3}, {1, 1}, {0, 0}, {1, 1}, false});
  check_pool(numbers, {{2, 2}, {2, 2}, {2, 2}, {1, 1}, false});
  check_pool(numbers, {{2, 2, 2}, {2, 2}, {0, 0}, {1, 1}, false});
  check_pool(numbers, {{2, 2}, {0, 1}, {0, 0}, {1, 1}, false});
  check_pool(numbers, {{2, 2}, {1, int64_t{1} << 40}, {0, 0}, {1, 1}, false});
}

TEST_CASE("batch norm in training gives LibTorch's results to rounding") {
  begin();
  for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{{2, 3},
                                                                             {64, 33},
                                                                             {2, 1, 5},
                                                                             {8, 16, 28, 28},
                                                                             {3, 5, 1, 1},
                                                                             {4, 2, 3, 4, 5},
                                                                             {1, 7, 41, 39},
                                                                             {16, 3, 64, 64}})
    check_norm(Norm(sizes));
  Norm without({4, 6, 9, 9});
  without.weight = without.bias = without.mean = without.var = Tensor();
  check_norm(without);
}

TEST_CASE("batch norm in channels_last gives LibTorch's results to rounding") {
  begin();
  for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{{2, 3, 1, 2},
                                                                             {3, 5, 1, 1},
                                                                             {2, 1, 3, 2},
                                                                             {8, 16, 28, 28},
                                                                             {128, 10, 12, 12},
                                                                             {1, 7, 41, 39},
                                                                             {16, 3, 64, 64},
                                                                             {5, 130, 3, 3},
                                                                             {2, 1000, 2, 2}})
    for (const bool mixed : {false, true}) check_last_norm(Norm(sizes), mixed);
  Norm without({4, 6, 9, 9});
  without.weight = without.bias = without.mean = without.var = Tensor();
  check_last_norm(without);
  Norm uneven({64, 3, 16, 16});  // the first images say little about the others
  uneven.input.narrow(0, 0, 60).mul_(1e-3).add_(500);
  check_last_norm(uneven);
}

TEST_CASE("batch norm of large numbers loses no more than LibTorch's") {
  begin();
  Norm large({32, 4, 50, 50});
  large.input = large.input + 10000;
  const bool channels_last = GENERATE(false, true);
  if (channels_last) large.input = last(large.input);
  const auto exact = at::cpu::native_batch_norm(large.input.to(at::kDouble), large.weight.to(at::kDouble),
                                                large.bias.to(at::kDouble), {}, {}, true, 0.1, 1e-5);
  const auto theirs = at::cpu::native_batch_norm(large.input, large.weight, large.bias, {}, {}, true, 0.1, 1e-5);
  const auto ours = at::native_batch_norm(large.input, large.weight, large.bias, {}, {}, true, 0.1, 1e-5);
  const auto error = [&](const auto& of) {
    return (std::get<0>(of).to(at::kDouble) - std::get<0>(exact)).abs().max().template item<double>();
  };
  CHECK(error(ours) <= 1.5 * error(theirs));
}

TEST_CASE("batch norm of other tensors, and in evaluation, is LibTorch's") {
  begin();
  check_norm(Norm({4, 3, 8, 8}), false);
  check_norm(Norm({4, 3, 8, 8}, at::kDouble));
  Norm wide({4, 3, 8, 8}, at::kDouble);
  wide.input = last(wide.input);
  check_norm(wide);
  Norm evaluated({4, 3, 8, 8});
  evaluated.input = last(evaluated.input);
  check_norm(evaluated, false);
  Norm volumes({2, 3, 4, 4, 4});
  volumes.input = volumes.input.contiguous(at::MemoryFormat::ChannelsLast3d);
  check_norm(volumes);
  Norm expanded({4, 3, 8, 8});
  expanded.gradient = at::ones({1}).expand({4, 3, 8, 8});
  check_norm(expanded);
}

TEST_CASE("numbers that are not finite spread over a channel and no further") {
  begin();
  const bool channels_last = GENERATE(false, true);
  for (const float value : {inf, -inf, not_a_number}) {
    Norm of({4, 3, 8, 8});
    of.input[1][1][2][2] = value;
    if (channels_last) of.input = last(of.input);
    const Tensor output =
        std::get<0>(at::native_batch_norm(of.input, of.weight, of.bias, of.mean, of.var, true, 0.1, 1e-5));
    CHECK(output.select(1, 1).isnan().all().item<bool>());
    CHECK(output.select(1, 0).isfinite().all().item<bool>());
    CHECK(output.select(1, 2).isfinite().all().item<bool>());
    of.gradient[1][1][2][2] = value;
    if (channels_last) of.gradient = last(of.gradient);
    const Tensor finite = last(at::randn({4, 3, 8, 8}));
    const Tensor back = std::get<0>(
        at::native_batch_norm_backward(of.gradient, channels_last ? finite : finite.contiguous(), of.weight, of.mean,
                                       of.var, at::zeros(3), at::ones(3), true, 1e-5, {true, true, true}));
    CHECK_FALSE(back.select(1, 1).isfinite().any().item<bool>());
    CHECK(back.select(1, 0).isfinite().all().item<bool>());
    CHECK(back.select(1, 2).isfinite().all().item<bool>());
  }
}

TEST_CASE("channels_last batch norm of numbers that are not finite, and of huge ones, is LibTorch's") {
  begin();
  for (const float value : {inf, not_a_number, 1e30F}) {
    Norm of({4, 3, 8, 8});
    of.input[1][1][2][2] = value;
    const Tensor in = last(of.input), mean = of.mean.clone(), var = of.var.clone();
    const auto theirs = at::cpu::native_batch_norm(in, of.weight, of.bias, mean, var, true, 0.1, 1e-5);
    const auto ours = at::native_batch_norm(in, of.weight, of.bias, of.mean, of.var, true, 0.1, 1e-5);
    CHECK(same_bits(std::get<0>(ours), std::get<0>(theirs)));
    CHECK(same_bits(of.mean, mean));
    CHECK(same_bits(of.var, var));
  }
}

TEST_CASE("results do not depend on the number of threads") {
  begin();
  const int before = at::get_num_threads();
  Norm of({16, 8, 32, 32});
  const bool channels_last = GENERATE(false, true);
  if (channels_last) {
    of.input = last(of.input);
    of.gradient = last(of.gradient);
  }
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    const auto norm = at::native_batch_norm(of.input, of.weight, of.bias, {}, {}, true, 0.1, 1e-5);
    const auto pool = at::max_pool2d_with_indices(of.input, {2, 2});
    const auto back = at::native_batch_norm_backward(of.gradient, of.input, of.weight, {}, {}, std::get<1>(norm),
                                                     std::get<2>(norm), true, 1e-5, {true, true, true});
    return std::vector<Tensor>{std::get<0>(norm), std::get<1>(norm), std::get<0>(pool), std::get<1>(pool),
                               std::get<0>(back), std::get<1>(back), std::get<2>(back)};
  };
  const auto one = run(1), four = run(4);
  for (size_t i = 0; i < one.size(); ++i) CHECK(one[i].equal(four[i]));
  at::set_num_threads(before);
}

TEST_CASE("gradients of gradients go through the backward of a convolution") {
  begin();
  const bool is_wide = GENERATE(false, true);
  const Tensor input = (is_wide ? at::randn({8, 16, 9, 9}) : at::randn({2, 6, 7, 7})).requires_grad_(true),
               weight = (is_wide ? at::randn({16, 16, 3, 3}) : at::randn({5, 6, 3, 3})).requires_grad_(true);
  using Tensors = std::vector<Tensor>;
  const auto second = [&](const Tensor& in, const Tensor& of) {
    const Tensor loss = at::conv2d(in, of).pow(2).sum();
    const Tensors first = torch::autograd::grad(Tensors{loss}, Tensors{in, of}, Tensors{}, true, true);
    return torch::autograd::grad(Tensors{first[0].pow(2).sum() + first[1].sum()}, Tensors{in, of});
  };
  const Tensors ours = second(input, weight);
  const Tensors exact =
      second(input.detach().to(at::kDouble).requires_grad_(true), weight.detach().to(at::kDouble).requires_grad_(true));
  for (size_t i = 0; i < 2; ++i) CHECK(difference_of_largest(ours[i], exact[i]) < 1e-4);
}

TEST_CASE("gradients through the kernels are those of differences, and gradients of gradients work") {
  begin();
  const bool channels_last = GENERATE(false, true);
  Tensor input = at::randn({3, 2, 4, 4});
  if (channels_last) input = last(input);
  input.requires_grad_(true);
  const Tensor direction = at::randn({3, 2, 4, 4});
  const Tensor weight = at::rand({2}).requires_grad_(true), bias = at::randn({2}).requires_grad_(true);
  const auto loss = [&](const Tensor& x) {
    const Tensor y = at::batch_norm(x, weight, bias, {}, {}, true, 0.1, 1e-5, false);
    return (at::max_pool2d(y, {2, 2}) * y.narrow(2, 0, 2).narrow(3, 0, 2)).sum();
  };
  using Tensors = std::vector<Tensor>;
  const Tensors first = torch::autograd::grad(Tensors{loss(input)}, Tensors{input, weight}, Tensors{}, true, true);
  const double step = 1e-2;
  const Tensor slope = (loss(input + step * direction) - loss(input - step * direction)) / (2 * step);
  const Tensor product = (first[0] * direction).sum();
  CHECK(product.item<double>() == Approx(slope.item<double>()).epsilon(0.02).margin(0.02));
  const Tensors second = torch::autograd::grad(Tensors{product + first[1].sum()}, Tensors{input, weight});
  CHECK(second[0].isfinite().all().item<bool>());
  CHECK(second[0].abs().sum().item<double>() > 0);
}
