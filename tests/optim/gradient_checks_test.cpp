#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/optim/finite.hpp"
#include "core/optim/gradient_clipper.hpp"

using namespace levin::core;

namespace {

NamedTensor parameter(const std::string& name, const std::vector<double>& gradient) {
  at::Tensor t = at::zeros({static_cast<int64_t>(gradient.size())}).requires_grad_();
  t.mutable_grad() = at::tensor(gradient).to(at::kFloat);
  return {name, t};
}

}  // namespace

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

TEST_CASE("a value that is not finite is named") {
  const std::vector<NamedTensor> good = {{"weight", at::zeros({2})}}, bad = {{"weight", at::full({1}, INFINITY)}};
  CHECK_NOTHROW(check_finite(at::scalar_tensor(1.0), good, "epoch 1, batch 2"));
  CHECK_NOTHROW(check_finite({}, good, "epoch 1, batch 2"));
  CHECK_THROWS_WITH(check_finite(at::scalar_tensor(NAN), bad, "epoch 1, batch 2"),
                    ContainsSubstring("loss") && ContainsSubstring("epoch 1, batch 2"));
  CHECK_THROWS_WITH(check_finite(at::scalar_tensor(1.0), bad, "epoch 1, batch 2"), ContainsSubstring("weight"));
}
