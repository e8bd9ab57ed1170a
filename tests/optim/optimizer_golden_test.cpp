#include <ATen/ATen.h>
#include <torch/types.h>

#include "catch.hpp"
#include "core/optim/optimizers/optimizer.hpp"
#include "golden.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

const std::vector<std::vector<int64_t>> kShapes{{5, 3}, {19}, {1}};
const std::vector<std::string> kNames{"sgd",    "adam",     "adamw", "adagrad", "rmsprop", "nadam", "radam",
                                      "adamax", "adadelta", "asgd",  "rprop",   "lamb",    "lion",  "muon"};

// Memory layout of a parameter: dense ones use the kernels, strided ones LibTorch's operators.
enum class Layout { contiguous, transposed, strided };

at::Tensor make_param(const std::vector<int64_t>& shape, at::ScalarType dtype, Layout layout) {
  if (layout == Layout::contiguous) return at::zeros(shape, dtype);
  if (layout == Layout::transposed)
    return shape.size() == 2 ? at::zeros({shape[1], shape[0]}, dtype).t() : at::zeros(shape, dtype);
  std::vector<int64_t> wide = shape;
  wide.push_back(2);
  return at::zeros(wide, dtype).select(-1, 0);
}

void fill(at::Tensor& tensor, golden::Noise& noise) {
  const at::NoGradGuard no_grad;
  at::Tensor values = at::empty({tensor.numel()}, at::kDouble);
  for (int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = noise();
  tensor.copy_(values.view(tensor.sizes()));
}

struct Run {
  Run(const json& the_case, Layout layout) : test(the_case) {
    const auto dtype = test["dtype"] == "float64" ? at::kDouble : at::kFloat;
    ParamGroup group;
    const auto shapes = test.value("shapes", kShapes);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      group.params.push_back(make_param(shapes[i], dtype, layout));
      group.names.push_back("p" + std::to_string(i));
      fill(group.params.back(), noise);
      group.params.back().requires_grad_();
    }
    params = group.params;
    optimizer = make_optimizer(test["optimizer"], test["options"], {group});
  }

  void step(int64_t n) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      at::Tensor grad = at::empty_like(params[i]);
      fill(grad, noise);
      if (i == 1 && n % 3 == 0) grad = at::Tensor();
      params[i].mutable_grad() = grad.defined() ? grad.detach() : grad;
    }
    if (n == 51) change();
    optimizer->step();
  }

  void change() {
    for (const auto& item : test["change"].items()) {
      if (item.key() == "betas") {
        optimizer->set(0, "beta1", item.value()[0]);
        optimizer->set(0, "beta2", item.value()[1]);
      } else {
        optimizer->set(0, item.key(), item.value());
      }
    }
  }

  const json& test;
  golden::Noise noise{7};
  std::vector<at::Tensor> params;
  std::unique_ptr<Optimizer> optimizer;
};

// Returns the largest difference divided by the largest value.
double difference(const at::Tensor& tensor, const json& wanted) {
  const auto values = wanted.get<std::vector<double>>();
  const at::Tensor expected = at::tensor(values, at::kDouble);
  const at::Tensor actual = tensor.detach().to(at::kDouble).reshape({-1});
  if (actual.numel() != expected.numel()) return 1;
  const double scale = expected.abs().max().item<double>();
  return (actual - expected).abs().max().item<double>() / (scale > 0 ? scale : 1);
}

}  // namespace

TEST_CASE("optimizers take Python's steps, state included, for 100 steps") {
  const auto name = GENERATE(from_range(kNames));
  const auto layout = GENERATE(Layout::contiguous, Layout::transposed, Layout::strided);
  const json cases = golden::load("optimizers/" + name);
  for (const json& test : cases) {
    INFO(name << " " << test["options"].dump() << " " << test["dtype"] << ", layout " << static_cast<int>(layout));
    const double tolerance = test.value("tolerance", test["dtype"] == "float64" ? 1e-13 : 1e-6);
    Run run(test, layout);
    int64_t n = 0;
    for (const json& wanted : test["steps"]) {
      while (n < wanted["step"].get<int64_t>()) run.step(++n);
      for (std::size_t i = 0; i < run.params.size(); ++i)
        REQUIRE(difference(run.params[i], wanted["params"][i]) < tolerance);
      std::size_t states = 0;
      run.optimizer->visit_state([&](const std::string& key, at::Tensor& tensor) {
        INFO(key << " after step " << n);
        REQUIRE(wanted["state"].contains(key));
        REQUIRE(difference(tensor, wanted["state"][key]) < tolerance);
        ++states;
      });
      REQUIRE(states == wanted["state"].size());
    }
  }
}

TEST_CASE("an optimizer that is loaded continues bit for bit") {
  const auto name = GENERATE(from_range(kNames));
  const json cases = golden::load("optimizers/" + name);
  for (const json& test : cases) {
    INFO(name << " " << test["options"].dump() << " " << test["dtype"]);
    Run whole(test, Layout::contiguous), second(test, Layout::contiguous);
    for (int64_t n = 1; n <= 60; ++n) whole.step(n);
    OptimizerState saved = whole.optimizer->state_dict();
    saved.values = json::parse(saved.values.dump());
    second.optimizer->load_state_dict(saved);
    second.noise = whole.noise;
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < whole.params.size(); ++i) second.params[i].copy_(whole.params[i]);
    for (int64_t n = 61; n <= 100; ++n) {
      whole.step(n);
      second.step(n);
    }
    for (std::size_t i = 0; i < whole.params.size(); ++i) REQUIRE(whole.params[i].equal(second.params[i]));
  }
}
