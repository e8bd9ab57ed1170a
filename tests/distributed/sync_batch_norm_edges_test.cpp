#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/modules/batchnorm.h>

#include "catch.hpp"
#include "core/abi/torch_compat.hpp"
#include "thread_ranks.hpp"

using levin::core::SyncBatchNormScope;

namespace {

at::Tensor bn(const at::Tensor& x, const at::Tensor& mean = {}, const at::Tensor& var = {}, bool training = true) {
  return at::batch_norm(x, {}, {}, mean, var, training, 0.1, 1e-5, false);
}

at::Tensor sample(at::ScalarType type = at::kFloat) {
  return at::linspace(-3, 5, 8 * 3 * 4, at::kDouble).sin().view({8, 3, 4}).to(type).contiguous();
}

// Returns the result of each of two ranks, which have one half of the batch each.
std::vector<at::Tensor> halves(const at::Tensor& batch, const std::function<at::Tensor(const at::Tensor&)>& work) {
  std::vector<at::Tensor> results(2);
  ThreadRanks ranks(2);
  const auto parts = batch.chunk(2);
  const auto errors = ranks.run([&](int rank) {
    const SyncBatchNormScope scope(ranks.of(rank));
    results[static_cast<size_t>(rank)] = work(parts[static_cast<size_t>(rank)]);
  });
  CHECK(errors == std::vector<std::string>{"", ""});
  return results;
}

double error_of(const std::vector<at::Tensor>& parts, const at::Tensor& whole) {
  return (at::cat(parts).to(at::kDouble) - whole.to(at::kDouble)).abs().max().item<double>();
}

// Returns the results of a forward and backward pass with LibTorch's modules, in the current scope.
std::vector<at::Tensor> plain_pass(bool training) {
  torch::nn::BatchNorm1d module(torch::nn::BatchNormOptions(3));
  module->train(training);
  const at::Tensor x = sample().requires_grad_();
  const at::Tensor y = module(x);
  y.pow(3).sum().backward();
  std::vector<at::Tensor> all{y.detach(), x.grad()};
  for (const at::Tensor& parameter : module->parameters()) all.push_back(parameter.grad());
  for (const at::Tensor& buffer : module->buffers()) all.push_back(buffer);
  return all;
}

bool same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!at::equal(a[i], b[i])) return false;
  return a.size() == b.size();
}

}  // namespace

// Must be the first test of this file: its reference values are from before the first scope, if the test runs alone.
TEST_CASE("Outside of a scope, and in evaluation within one, batch norm is LibTorch's own to the bit",
          "[sync_batch_norm]") {
  at::set_num_threads(1);
  const auto training = plain_pass(true), evaluation = plain_pass(false);
  ThreadRanks ranks(1);
  {
    const SyncBatchNormScope scope(ranks.of(0));
    CHECK(same_bits(plain_pass(false), evaluation));
    const SyncBatchNormScope off(nullptr);
    CHECK(same_bits(plain_pass(true), training));
  }
  CHECK(same_bits(plain_pass(true), training));
  CHECK(ranks.sums() == 0);
}

TEST_CASE("A scope is of its thread, and the backward pass may come after it", "[sync_batch_norm]") {
  ThreadRanks ranks(2);
  const auto errors = ranks.run([&](int rank) {
    const at::Tensor x = sample().requires_grad_();
    at::Tensor y;
    {
      const SyncBatchNormScope scope(ranks.of(rank));
      std::thread([] { bn(sample()); }).join();
      y = bn(x);
    }
    bn(sample());
    y.pow(3).sum().backward();
    if (!x.grad().defined()) throw std::runtime_error("no gradient");
  });
  CHECK(errors == std::vector<std::string>{"", ""});
  CHECK(ranks.sums() == 2);
}

TEST_CASE("Instance norm, which LibTorch computes with batch norm, is not synchronized", "[sync_batch_norm]") {
  const auto norm = [](const at::Tensor& x) { return at::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false); };
  const at::Tensor batch = sample(), expected = norm(batch);
  ThreadRanks ranks(1);
  const SyncBatchNormScope scope(ranks.of(0));
  CHECK(at::equal(norm(batch), expected));
  bn(batch);
  CHECK(ranks.sums() == 1);
}

TEST_CASE("Without gradients statistics are of all ranks too; in inference mode they are the rank's own",
          "[sync_batch_norm]") {
  const at::Tensor batch = sample(), whole = bn(batch);
  CHECK(error_of(halves(batch,
                        [](const at::Tensor& x) {
                          const at::NoGradGuard guard;
                          return bn(x);
                        }),
                 whole) < 1e-6);
  const auto own = halves(batch, [](const at::Tensor& x) {
    const c10::InferenceMode guard;
    return bn(x.clone());
  });
  CHECK(at::equal(own[0], bn(batch.chunk(2)[0])));
}

TEST_CASE("Half types are computed in float, double in double", "[sync_batch_norm]") {
  struct Row {
    at::ScalarType type;
    double tolerance;
  };
  for (const Row& row : {Row{at::kBFloat16, 8e-3}, Row{at::kHalf, 1e-3}, Row{at::kDouble, 1e-12}}) {
    const at::Tensor batch = sample(row.type);
    const auto parts = halves(batch, [&](const at::Tensor& part) {
      const at::Tensor x = part.detach().clone().requires_grad_();
      const at::Tensor mean = at::zeros({3}), var = at::ones({3});
      const at::Tensor y = at::batch_norm(x, at::ones({3}, row.type), {}, mean, var, true, 0.1, 1e-5, false);
      y.sum().backward();
      CHECK(x.grad().scalar_type() == row.type);
      CHECK(y.scalar_type() == row.type);
      return y.detach();
    });
    CHECK(error_of(parts, bn(batch.to(at::kDouble))) < row.tolerance);
  }
}

TEST_CASE("Autocast's half inputs meet weights in float", "[sync_batch_norm]") {
  const at::Tensor batch = sample(at::kBFloat16);
  const auto parts = halves(batch, [](const at::Tensor& x) {
    const levin::core::AutocastGuard guard(at::kCPU, at::kBFloat16);
    torch::nn::BatchNorm1d module(torch::nn::BatchNormOptions(3));
    const at::Tensor y = module(x);
    y.to(at::kFloat).pow(2).sum().backward();
    CHECK(y.scalar_type() == at::kBFloat16);
    CHECK(module->weight.grad().scalar_type() == at::kFloat);
    return y.detach();
  });
  CHECK(error_of(parts, bn(batch.to(at::kDouble))) < 8e-3);
}

// Computing the variance as mean of squares minus square of the mean would lose all digits here.
TEST_CASE("Means that are large beside the deviations do not cancel", "[sync_batch_norm]") {
  const at::Tensor exact = sample(at::kDouble) + 3000.0;
  const at::Tensor batch = exact.to(at::kFloat);
  const at::Tensor var = at::zeros({3}), whole_var = at::zeros({3}), whole = bn(batch, at::zeros({3}), whole_var);
  const auto parts = halves(batch, [&](const at::Tensor& x) {
    const at::Tensor own = at::zeros({3});
    const at::Tensor y = bn(x, at::zeros({3}), own);
    if (x.data_ptr() == batch.data_ptr()) var.copy_(own);
    return y;
  });
  const at::Tensor expected = batch.to(at::kDouble).var(at::IntArrayRef{0, 2}, true) * 0.1;
  CHECK(((var - expected).abs() / expected).max().item<double>() < 5e-4);
  const double own_error = (whole - bn(batch.to(at::kDouble))).abs().max().item<double>();
  CHECK(error_of(parts, bn(batch.to(at::kDouble))) < 2 * own_error + 1e-6);
}

TEST_CASE("One row on each rank is enough for batch norm itself; LibTorch's modules refuse it before it gets there",
          "[sync_batch_norm]") {
  const at::Tensor batch = sample().select(2, 0).narrow(0, 0, 2).contiguous();
  CHECK(error_of(halves(batch, [](const at::Tensor& x) { return bn(x); }), bn(batch)) < 1e-6);
  torch::nn::BatchNorm1d module(torch::nn::BatchNormOptions(3));
  ThreadRanks ranks(1);
  const SyncBatchNormScope scope(ranks.of(0));
  CHECK_THROWS_WITH(module(batch.narrow(0, 0, 1)),
                    ContainsSubstring("Expected more than 1 value per channel when training"));
  CHECK_THROWS_WITH(bn(batch.narrow(0, 0, 1)),
                    ContainsSubstring("Expected more than 1 value per channel over all ranks"));
}

TEST_CASE("Gradients of gradients are refused, with what to do", "[sync_batch_norm]") {
  ThreadRanks ranks(1);
  const SyncBatchNormScope scope(ranks.of(0));
  const at::Tensor x = sample().requires_grad_();
  const at::Tensor loss = bn(x).pow(3).sum();
  CHECK_THROWS_WITH(torch::autograd::grad({loss}, {x}, {}, c10::nullopt, true), ContainsSubstring("create_graph"));
}

TEST_CASE("An input that needs no gradient costs no collective in the backward pass", "[sync_batch_norm]") {
  ThreadRanks ranks(1);
  const SyncBatchNormScope scope(ranks.of(0));
  const at::Tensor weight = at::ones({3}).requires_grad_(), bias = at::zeros({3}).requires_grad_();
  at::batch_norm(sample(), weight, bias, {}, {}, true, 0.1, 1e-5, false).pow(3).sum().backward();
  CHECK(ranks.sums() == 1);
  CHECK(bias.grad().defined());
}

TEST_CASE("what TorchScript's optimizer makes of a batch norm is refused, and not done for one rank alone") {
  const at::Tensor x = sample();
  const auto optimized = [&](bool training) {
    return at::_batch_norm_impl_index(x, {}, {}, at::zeros({3}), at::ones({3}), training, 0.1, 1e-5, false);
  };
  ThreadRanks ranks(2);
  const auto errors = ranks.run([&](int rank) {
    const SyncBatchNormScope scope(ranks.of(rank));
    optimized(false);
    optimized(true);
  });
  for (const std::string& error : errors) CHECK_THAT(error, ContainsSubstring("setGraphExecutorOptimize(false)"));
  CHECK_NOTHROW(optimized(true));
}
