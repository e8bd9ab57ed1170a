// Kernels that save calls of operators, not arithmetic: mean squared errors and transposed views.
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mse_loss_backward_cpu_dispatch.h>
#include <ATen/ops/mse_loss_cpu_dispatch.h>
#include <ATen/ops/t_native.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "comparison.hpp"

using namespace levin::core;
using at::Tensor;

namespace {

const std::vector<int64_t> reductions = {at::Reduction::None, at::Reduction::Mean, at::Reduction::Sum};

// The result to rounding, and the same bits of the gradient.
void check_error(const Tensor& a, const Tensor& b, int64_t reduction) {
  const Tensor error = at::mse_loss(a, b, reduction);
  check_near(error, at::cpu::mse_loss(a, b, reduction), 1e-5, 1e-3);
  const Tensor gradient = at::randn_like(error);
  const Tensor ours = at::mse_loss_backward(gradient, a, b, reduction);
  const Tensor theirs = at::cpu::mse_loss_backward(gradient, a, b, reduction);
  CHECK(at::equal(ours.nan_to_num(7), theirs.nan_to_num(7)));
  CHECK(ours.strides() == theirs.strides());
}

}  // namespace

TEST_CASE("a mean squared error and its gradient are LibTorch's") {
  begin();
  for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{
           {}, {1}, {7}, {8}, {9}, {32, 1}, {5, 3, 2}, {2048}, {2049}, {100, 100}, {0}, {3, 0}})
    for (const int64_t reduction : reductions) {
      check_error(at::randn(sizes), at::randn(sizes), reduction);
      check_error(at::randn(sizes) * 100 + 1000, at::zeros(sizes), reduction);
    }
}

TEST_CASE("squared errors of other tensors are LibTorch's") {
  begin();
  for (const int64_t reduction : reductions) {
    check_error(at::randn({4, 6}).t(), at::randn({6, 4}), reduction);
    check_error(at::randn({6, 4}), at::randn({1, 4}).expand({6, 4}), reduction);
    check_error(at::randn({6, 4}, at::kDouble), at::randn({6, 4}, at::kDouble), reduction);
    CHECK(at::mse_loss(at::ones({6, 4}), at::zeros({4}), reduction)
              .equal(at::cpu::mse_loss(at::ones({6, 4}), at::zeros({4}), reduction)));
  }
  CHECK_THROWS_AS(at::mse_loss(at::ones({3}), at::ones({4})), c10::Error);
}

TEST_CASE("errors that are not finite, and squares that overflow, are LibTorch's") {
  begin();
  for (const float value : {inf, -inf, not_a_number, 3e38f, 1e20f})
    for (const int64_t reduction : reductions) {
      Tensor a = at::randn({3, 5});
      a[1][2] = value;
      check_error(a, at::randn({3, 5}), reduction);
    }
  // Each square is finite, and their sum is not.
  check_error(at::full({100}, 1.5e19), at::zeros({100}), at::Reduction::Mean);
}

TEST_CASE("gradients of gradients go through a mean squared error") {
  begin();
  const Tensor a = at::randn({4, 3}).requires_grad_(), b = at::randn({4, 3}).requires_grad_();
  const auto second = [&] {
    const Tensor first = torch::autograd::grad({at::mse_loss(a.tanh(), b)}, {a}, {}, true, true)[0];
    return torch::autograd::grad({first.pow(2).sum()}, {a, b});
  };
  const auto ours = second();
  switch_cpu_kernels(false);
  const auto theirs = second();
  switch_cpu_kernels(true);
  for (size_t i = 0; i < ours.size(); ++i) check_near(ours[i], theirs[i], 1e-5);
}

TEST_CASE("a transposed matrix is a view like LibTorch's") {
  begin();
  const Tensor base = at::randn({6, 8});
  for (const Tensor& matrix :
       {base, base.narrow(1, 2, 3), base.slice(0, 1, 6, 2), at::randn({8, 6}).transpose(0, 1),
        at::randn({1, 4}).expand({3, 4}), at::empty({0, 3}), base.to(at::kDouble), at::ones({4}), at::ones({})}) {
    const Tensor ours = at::t(matrix), theirs = at::native::t(matrix);
    CHECK(ours.sizes() == theirs.sizes());
    CHECK(ours.strides() == theirs.strides());
    CHECK(ours.storage_offset() == theirs.storage_offset());
    CHECK(ours.is_contiguous() == theirs.is_contiguous());
    CHECK(ours.is_non_overlapping_and_dense() == theirs.is_non_overlapping_and_dense());
    CHECK(ours.is_alias_of(matrix));
    CHECK(ours.equal(theirs));
    CHECK(ours.is_view());
  }
  CHECK_THROWS_AS(at::t(at::ones({2, 2, 2})), c10::Error);
}

TEST_CASE("changes of a transposed matrix reach the matrix, its version and its graph") {
  begin();
  const Tensor leaf = at::randn({3, 4}).requires_grad_();
  const Tensor matrix = leaf * 1;
  const auto version = matrix._version();
  const Tensor view = matrix.t();
  view.mul_(2);
  CHECK(matrix._version() == version + 1);
  CHECK(matrix.equal(leaf * 2));
  CHECK(torch::autograd::grad({matrix.sum()}, {leaf})[0].equal(at::full({3, 4}, 2)));
  CHECK(torch::autograd::grad({(leaf.t() * at::arange(3)).sum()}, {leaf})[0].equal(
      at::arange(3).unsqueeze(1).expand({3, 4}).to(at::kFloat)));
  const Tensor saved = leaf * 1;
  const Tensor product = at::mm(saved.t(), saved);
  saved.t().add_(1);
  CHECK_THROWS_WITH(torch::autograd::grad({product.sum()}, {leaf}),
                    ContainsSubstring("modified by an inplace operation"));
  const c10::InferenceMode inference;
  CHECK(at::ones({2, 3}).t().is_inference());
}
