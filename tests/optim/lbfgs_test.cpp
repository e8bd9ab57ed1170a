#include <torch/types.h>

#include "catch.hpp"
#include "core/optim/optimizers/optimizer.hpp"
#include "golden.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

// Rosenbrock's function over all parameters, concatenated.
at::Tensor valley(const std::vector<at::Tensor>& params) {
  std::vector<at::Tensor> flat;
  for (const auto& param : params) flat.push_back(param.reshape({-1}));
  const at::Tensor x = at::cat(flat);
  const at::Tensor head = x.narrow(0, 0, x.numel() - 1), tail = x.narrow(0, 1, x.numel() - 1);
  return (3 * (tail - head.pow(2)).pow(2) + (1 - head).pow(2)).sum();
}

struct Descent {
  explicit Descent(const json& options) {
    golden::Noise noise(11);
    ParamGroup group;
    for (const auto& shape : {std::vector<int64_t>{2, 2}, std::vector<int64_t>{3}}) {
      at::Tensor param = at::zeros(shape, at::kDouble);
      for (int64_t i = 0; i < param.numel(); ++i) param.data_ptr<double>()[i] = noise();
      params.push_back(param.requires_grad_());
    }
    group.params = params;
    group.names = {"a", "b"};
    optimizer = make_optimizer("lbfgs", options, {group});
  }

  double step() {
    return optimizer
        ->step([this] {
          ++evaluations;
          at::Tensor loss = valley(params);
          optimizer->zero_grad();
          loss.backward();
          return loss;
        })
        .item<double>();
  }

  std::vector<at::Tensor> params;
  std::unique_ptr<Optimizer> optimizer;
  int64_t evaluations = 0;
};

bool near(const at::Tensor& tensor, const json& wanted) {
  const auto values = wanted.get<std::vector<double>>();
  return at::allclose(tensor.detach().reshape({-1}), at::tensor(values, at::kDouble), 1e-6, 1e-8);
}

}  // namespace

TEST_CASE("L-BFGS takes Python's steps and evaluates as often") {
  const json cases = golden::load("optimizers/lbfgs");
  for (const json& test : cases) {
    INFO(test["options"].dump());
    Descent run(test["options"]);
    int64_t n = 0;
    double loss = 0;
    for (const json& wanted : test["steps"]) {
      for (; n < wanted["step"].get<int64_t>(); ++n) loss = run.step();
      INFO("step " << n);
      REQUIRE(loss == Approx(wanted["loss"].get<double>()).epsilon(1e-6).margin(1e-12));
      REQUIRE(run.evaluations == wanted["evaluations"].get<int64_t>());
      for (std::size_t i = 0; i < run.params.size(); ++i) REQUIRE(near(run.params[i], wanted["params"][i]));
    }
  }
}

TEST_CASE("L-BFGS that is loaded continues bit for bit") {
  const json options = {{"line_search_fn", "strong_wolfe"}, {"max_iter", 1}, {"history_size", 3}};
  Descent whole(options), second(options);
  for (int n = 0; n < 6; ++n) whole.step();
  OptimizerState saved = whole.optimizer->state_dict();
  saved.values = json::parse(saved.values.dump());
  second.optimizer->load_state_dict(saved);
  {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < whole.params.size(); ++i) second.params[i].copy_(whole.params[i]);
  }
  for (int n = 0; n < 4; ++n) REQUIRE(whole.step() == second.step());
  for (std::size_t i = 0; i < whole.params.size(); ++i) REQUIRE(whole.params[i].equal(second.params[i]));
}

TEST_CASE("L-BFGS needs a closure, a loss and one group") {
  Descent run(json::object());
  REQUIRE(run.optimizer->needs_closure());
  REQUIRE_THROWS_WITH(run.optimizer->step(), ContainsSubstring("needs a closure"));
  REQUIRE_THROWS_WITH(run.optimizer->step([] { return at::Tensor(); }), ContainsSubstring("returned none"));
  ParamGroup more;
  more.params = {at::zeros({1})};
  more.names = {"c"};
  REQUIRE_THROWS_WITH(run.optimizer->add_group(more), ContainsSubstring("one parameter group"));
  REQUIRE(run.optimizer->group_count() == 1);
}
