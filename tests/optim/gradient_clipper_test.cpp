#include <torch/types.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/optim/gradient_clipper.hpp"
#include "core/optim/optimizers/optimizer.hpp"

using namespace levin::core;

namespace {

std::unique_ptr<Optimizer> with_grads(const std::vector<at::Tensor>& grads) {
  ParamGroup group;
  for (const auto& grad : grads) {
    group.names.push_back("p" + std::to_string(group.names.size()));
    group.params.push_back(at::zeros(grad.sizes(), grad.scalar_type()).requires_grad_());
    group.params.back().mutable_grad() = grad;
  }
  group.names.push_back("without");
  group.params.push_back(at::zeros({1}).requires_grad_());
  return make_optimizer("sgd", nullptr, {group});
}

// The strided layout is not supported by the fast path.
at::Tensor values(std::vector<double> list, const std::string& kind) {
  at::Tensor tensor = at::tensor(list, at::kDouble);
  if (kind == "float") return tensor.to(at::kFloat);
  if (kind == "strided") return at::stack({tensor, tensor}, 1).select(1, 0);
  return tensor;
}

NamedTensor parameter(const std::string& name, const std::vector<double>& gradient) {
  at::Tensor t = at::zeros({static_cast<int64_t>(gradient.size())}).requires_grad_();
  t.mutable_grad() = at::tensor(gradient).to(at::kFloat);
  return {name, t};
}

}  // namespace

TEST_CASE("clipping by norm scales all gradients alike") {
  const auto kind = GENERATE(as<std::string>{}, "float", "double", "strided");
  const at::Tensor a = values({3}, kind), b = values({0, 4}, kind);
  const auto optimizer = with_grads({a, b});
  GradientClipper clipper;
  REQUIRE(clipper.norm(*optimizer).value() == Approx(5));
  REQUIRE(clipper.clip_norm(*optimizer, 10).value() == Approx(5));
  REQUIRE(a.item<double>() == Approx(3));
  REQUIRE(clipper.clip_norm(*optimizer, 1).value() == Approx(5));
  REQUIRE(a[0].item<double>() == Approx(3 / (5 + 1e-6)).epsilon(1e-7));
  REQUIRE(b[1].item<double>() == Approx(4 / (5 + 1e-6)).epsilon(1e-7));
}

TEST_CASE("clipping by value cuts each element") {
  const auto kind = GENERATE(as<std::string>{}, "float", "double", "strided");
  const at::Tensor a = values({-3, -0.5, 0.25, 9, 0, 1, 2, -1, 5, std::numeric_limits<double>::quiet_NaN()}, kind);
  const auto optimizer = with_grads({a});
  GradientClipper().clip_value(*optimizer, 1);
  const at::Tensor wanted = values({-1, -0.5, 0.25, 1, 0, 1, 1, -1, 1, 0}, kind);
  REQUIRE(a.narrow(0, 0, 9).equal(wanted.narrow(0, 0, 9)));
  REQUIRE(std::isnan(a[9].item<double>()));
}

TEST_CASE("a norm that is not finite spreads to all gradients") {
  const at::Tensor a = values({std::numeric_limits<double>::quiet_NaN()}, "float"), b = values({1, 2}, "float");
  const auto optimizer = with_grads({a, b});
  REQUIRE(std::isnan(GradientClipper().clip_norm(*optimizer, 1).value()));
  REQUIRE(b.isnan().all().item<bool>());
}

TEST_CASE("the norm of many elements is that of LibTorch") {
  at::Tensor a = at::randn({1000, 33});
  const auto optimizer = with_grads({a});
  REQUIRE(GradientClipper().norm(*optimizer).value() == Approx(a.to(at::kDouble).norm().item<double>()).epsilon(1e-12));
}

TEST_CASE("without gradients there is nothing to clip, and limits must be numbers") {
  const auto optimizer = with_grads({});
  REQUIRE(GradientClipper().clip_norm(*optimizer, 1).value() == 0);
  REQUIRE_THROWS_WITH(GradientClipper().clip_norm(*optimizer, -1), ContainsSubstring("0 or more"));
  REQUIRE_THROWS_WITH(GradientClipper().clip_value(*optimizer, std::nan("")), ContainsSubstring("0 or more"));
}

TEST_CASE("norms of gradients carry the norm and the parameter in their names") {
  const std::vector<NamedTensor> parameters = {parameter("weight", {1, -2, 3, 0.5}), parameter("bias", {0.25, -4})};
  struct Case {
    double p;
    const char* prefix;
    double weight, bias, total;
  };
  const Case cases[] = {{1, "grad_1.0_norm", 6.5, 4.25, 10.75},
                        {3.5, "grad_3.5_norm", 3.208554744720459, 4.000070095062256, 4.458758354187012},
                        {std::numeric_limits<double>::infinity(), "grad_inf_norm", 3, 4, 4}};
  for (const Case& c : cases) {
    const auto norms = grad_norms(parameters, c.p);
    REQUIRE(norms.size() == 3);
    CHECK(norms[0].name == c.prefix + std::string("/weight"));
    CHECK(norms[2].name == c.prefix + std::string("_total"));
    CHECK(norms[0].tensor.item<double>() == Approx(c.weight).epsilon(1e-5));
    CHECK(norms[1].tensor.item<double>() == Approx(c.bias).epsilon(1e-5));
    CHECK(norms[2].tensor.item<double>() == Approx(c.total).epsilon(1e-5));
  }
  CHECK(grad_norms({{"w", at::zeros({2})}}, 2).empty());
}
