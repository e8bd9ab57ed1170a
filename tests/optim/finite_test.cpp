// The check for finite values, and steps that are masked out.
#include "core/optim/finite.hpp"

#include <torch/types.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/optim/optimizers/optimizer.hpp"

using namespace levin::core;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::unique_ptr<Optimizer> optimizer_of(const std::string& name, const nlohmann::json& options, const at::Tensor& p) {
  ParamGroup group;
  group.params = {p};
  group.names = {"w"};
  return make_optimizer(name, options, {group});
}

std::vector<at::Tensor> state_of(Optimizer& optimizer) {
  std::vector<at::Tensor> out;
  optimizer.visit_state([&](const std::string&, at::Tensor& t) { out.push_back(t.clone()); });
  return out;
}

}  // namespace

TEST_CASE("one bad element among many makes a tensor not finite, in every layout and type") {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf})
    for (const int64_t n : {1, 7, 300'000})
      for (const double bad : {infinity, -infinity, std::nan("")}) {
        at::Tensor t = at::randn({n}).to(type);
        CHECK(is_finite(t));
        t[n - 1] = bad;
        CHECK_FALSE(is_finite(t));
        CHECK_FALSE(is_finite(at::stack({t, t}, 1).select(1, 0)));
      }
  CHECK(is_finite(at::full({3}, std::numeric_limits<float>::max())));
  CHECK(is_finite(at::full({3}, std::numeric_limits<float>::denorm_min())));
  CHECK(is_finite(at::ones({3}, at::kLong)));
  CHECK(is_finite({}));
  CHECK(is_finite(at::zeros({0})));
}

TEST_CASE("a step that the mask leaves out changes neither weights nor state, and any other is the same step") {
  struct Case {
    std::string name;
    nlohmann::json options;
  };
  const Case cases[] = {{"sgd", {{"lr", 0.1}, {"momentum", 0.9}, {"weight_decay", 0.1}}},
                        {"adam", {{"lr", 0.1}, {"amsgrad", true}, {"weight_decay", 0.1}}},
                        {"adamw", {{"lr", 0.1}}},
                        {"rmsprop", {{"lr", 0.1}, {"centered", true}, {"momentum", 0.9}}},
                        {"adagrad", {{"lr", 0.1}}},
                        {"nadam", {{"lr", 0.1}, {"weight_decay", 0.1}}},
                        {"radam", {{"lr", 0.1}}},
                        {"adamax", {{"lr", 0.1}}},
                        {"adadelta", nlohmann::json::object()},
                        {"asgd", {{"lr", 0.1}, {"t0", 0}}},
                        {"rprop", nlohmann::json::object()},
                        {"lamb", {{"lr", 0.1}}},
                        {"lion", {{"lr", 0.1}}}};
  for (const Case& c : cases) {
    INFO(c.name);
    at::Tensor masked = at::linspace(-1, 1, 5).requires_grad_(), plain = masked.detach().clone().requires_grad_();
    const auto a = optimizer_of(c.name, c.options, masked), b = optimizer_of(c.name, c.options, plain);
    const at::Tensor good = at::linspace(1, 2, 5), no = at::zeros({}, at::kBool), yes = at::ones({}, at::kBool);
    for (int i = 0; i < 2; ++i) {
      masked.mutable_grad() = good.clone();
      plain.mutable_grad() = good.clone();
      a->step_unless(no);
      b->step();
    }
    CHECK(masked.allclose(plain, 1e-6, 1e-7));
    const at::Tensor weights = masked.detach().clone();
    const std::vector<at::Tensor> state = state_of(*a);
    masked.mutable_grad() = good * std::nan("");
    a->step_unless(yes);
    CHECK(masked.equal(weights));
    const std::vector<at::Tensor> after = state_of(*a);
    REQUIRE(after.size() == state.size());
    for (size_t i = 0; i < state.size(); ++i)  // a scalar goes with the step count, which counts every step
      if (state[i].dim() > 0) CHECK(after[i].equal(state[i]));
  }
}

TEST_CASE("a value that is not finite is named") {
  const std::vector<NamedTensor> good = {{"weight", at::zeros({2})}}, bad = {{"weight", at::full({1}, INFINITY)}};
  CHECK_NOTHROW(check_finite(at::scalar_tensor(1.0), good, "epoch 1, batch 2"));
  CHECK_NOTHROW(check_finite({}, good, "epoch 1, batch 2"));
  CHECK_THROWS_WITH(check_finite(at::scalar_tensor(NAN), bad, "epoch 1, batch 2"),
                    ContainsSubstring("loss") && ContainsSubstring("epoch 1, batch 2"));
  CHECK_THROWS_WITH(check_finite(at::scalar_tensor(1.0), bad, "epoch 1, batch 2"), ContainsSubstring("weight"));
}
