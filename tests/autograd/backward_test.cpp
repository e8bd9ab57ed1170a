// What core::backward() leaves to the engine, what it releases, and its errors.
#include "core/autograd/backward.hpp"

#include <ATen/record_function.h>

#include "catch.hpp"
#include "graphs.hpp"

namespace {

struct Twice : torch::autograd::Function<Twice> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) { return x * 2; }
  static Tensors backward(torch::autograd::AutogradContext*, const Tensors& gradients) { return {gradients[0] * 2}; }
};

// Its backward computes gradients by a backward of its own.
struct Nested : torch::autograd::Function<Nested> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) { return x * 1; }
  static Tensors backward(torch::autograd::AutogradContext*, const Tensors& gradients) {
    const at::AutoGradMode with_graph(true);
    const at::Tensor x = torch::zeros_like(gradients[0]).requires_grad_();
    levin::core::backward((x * gradients[0].detach() * 2).sum(), false);
    return {x.grad()};
  }
};

void check_left_to_engine(const at::Tensor& loss) {
  CHECK_FALSE(is_walked(loss));
  levin::core::backward(loss, false);
}

struct Outcome {
  std::string error;
  at::Tensor gradient;
};

using Build = std::function<at::Tensor(const at::Tensor& weight)>;

Outcome run(const Build& build, int backwards, const std::function<void(const at::Tensor&)>& backward) {
  torch::manual_seed(2);
  const at::Tensor weight = leaf({3});
  std::string error = error_of([&] {
    const at::Tensor loss = build(weight);
    for (int i = 0; i < backwards; ++i) backward(loss);
  });
  return {std::move(error), weight.grad()};
}

void check_failure(const std::string& part, int backwards, const Build& build) {
  const Outcome expected = run(build, backwards, [](const at::Tensor& loss) { loss.backward(); });
  const Outcome got = run(build, backwards, [](const at::Tensor& loss) { levin::core::backward(loss, false); });
  CHECK(got.error == expected.error);
  CHECK(got.error.find(part) != std::string::npos);
  CHECK(same_bits(got.gradient, expected.gradient));
  CHECK(at::GradMode::is_enabled());
}

TEST_CASE("leaves have gradients of their own, which are no views") {
  const at::Tensor a = leaf({3}), b = leaf({3}), matrix = leaf({3, 2});
  levin::core::backward((a + b).sum() + (matrix.t() * 2).sum(), false);
  CHECK_FALSE(a.grad().is_alias_of(b.grad()));
  for (const at::Tensor& one : {a, b, matrix}) {
    CHECK_FALSE(one.grad().is_view());
    one.grad().detach_().zero_();
  }
  levin::core::backward((matrix.t() * 2).sum(), false);
  CHECK(matrix.grad().equal(torch::full({3, 2}, 2.F)));
  CHECK(a.grad().equal(torch::zeros({3})));
}

}  // namespace

TEST_CASE("graphs with hooks and custom functions are left to the engine, which serves them") {
  const auto twice = [](const at::Tensor& gradient) { return gradient * 2; };
  const at::Tensor weight = leaf({3});
  SECTION("a hook at a leaf") {
    weight.register_hook(twice);
    check_left_to_engine(weight.sum());
  }
  SECTION("a hook at a result") {
    const at::Tensor result = weight * 1;
    result.register_hook(twice);
    check_left_to_engine(result.sum());
  }
  SECTION("a hook at the loss") {
    const at::Tensor loss = weight.sum();
    loss.register_hook(twice);
    check_left_to_engine(loss);
  }
  SECTION("a custom function") { check_left_to_engine(Twice::apply(weight).sum()); }
  SECTION("a backward within a custom function") { check_left_to_engine(Nested::apply(weight).sum()); }
  SECTION("a change in place of a view") {
    const at::Tensor result = weight * 1;
    result.slice(0, 0, 3).mul_(2);
    check_left_to_engine(result.sum());
  }
  SECTION("complex numbers") { check_left_to_engine(torch::real(torch::complex(weight, weight)).sum() * 2); }
  CHECK(torch::equal(weight.grad(), torch::full({3}, 2.F)));
}

TEST_CASE("a result that retains its gradient has it") {
  const at::Tensor weight = leaf({3});
  const at::Tensor twice = weight * 2;
  twice.retain_grad();
  levin::core::backward(twice.sum(), false);
  CHECK(torch::equal(twice.grad(), torch::ones({3})));
}

TEST_CASE("anomaly detection names the operator that returned NaN") {
  const at::Tensor loss = (torch::sqrt(leaf({3}) * 0) * 0).sum();
  torch::autograd::AnomalyMode::set_enabled(true);
  const std::string error = error_of([&] { levin::core::backward(loss, false); });
  torch::autograd::AnomalyMode::set_enabled(false);
  CHECK(error.find("SqrtBackward0' returned nan") != std::string::npos);
}

TEST_CASE("a profiler sees the nodes") {
  static int nodes;
  nodes = 0;
  const auto count = [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
    ++nodes;
    return nullptr;
  };
  const at::Tensor loss = leaf({3}).sum();
  const auto handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(count).scopes({at::RecordScope::BACKWARD_FUNCTION}));
  levin::core::backward(loss, false);
  at::removeCallback(handle);
  CHECK(nodes == 2);
}

TEST_CASE("saved tensors are released by the backward, unless the graph is retained") {
  const at::Tensor weight = leaf({3});
  at::Tensor result = torch::exp(weight);
  const at::Storage storage = result.storage();
  const at::Tensor loss = (result * result).sum();
  result.reset();
  levin::core::backward(loss, true);
  CHECK(storage.use_count() > 1);
  levin::core::backward(loss, false);
  CHECK(storage.use_count() == 1);
}

TEST_CASE("gradients require no gradient") {
  const at::Tensor weight = leaf({3});
  levin::core::backward((weight * weight).sum(), false);
  CHECK_FALSE(weight.grad().requires_grad());
  CHECK(at::GradMode::is_enabled());
}

TEST_CASE("errors are the engine's, and so are the gradients behind them") {
  check_failure("second time", 2, [](const at::Tensor& weight) { return (weight * weight).sum(); });
  check_failure("modified by an inplace operation", 1, [](const at::Tensor& weight) {
    const at::Tensor result = torch::exp(weight);
    const at::Tensor loss = result.sum() + weight.sum();
    result.add_(1);
    return loss;
  });
  check_failure("scalar outputs", 1, [](const at::Tensor& weight) { return weight * 2; });
  check_failure("does not require grad", 1, [](const at::Tensor&) { return torch::ones({}); });
  const at::Tensor weight = leaf({3});
  levin::core::backward((weight * 2).sum(), false);
  CHECK(torch::equal(weight.grad(), torch::full({3}, 2.F)));
}
