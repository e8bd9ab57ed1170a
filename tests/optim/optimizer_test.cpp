#include <ATen/Parallel.h>
#include <torch/types.h>

#include <set>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/optim/lr_scaling.hpp"
#include "core/optim/lr_schedulers/lr_scheduler.hpp"
#include "core/optim/optimizers/optimizer.hpp"
#include "levin/detail/task_options.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

ParamGroup group_of(const std::string& name, at::Tensor param, json options = json::object()) {
  ParamGroup group;
  group.name = name;
  group.params = {param.requires_grad_()};
  group.names = {name + ".weight"};
  group.options = std::move(options);
  return group;
}

std::unique_ptr<Optimizer> sgd(const json& options, at::Tensor param) {
  return make_optimizer("sgd", options, {group_of("a", std::move(param))});
}

}  // namespace

TEST_CASE("optimizers are found by their name and by Python's class name") {
  for (const auto& spec : optimizer_table()) {
    for (const auto& name : {spec.id, spec.class_name}) {
      const auto optimizer = make_optimizer(name, nullptr, {group_of("a", at::zeros({2, 2}))});
      REQUIRE(optimizer->id() == spec.id);
      REQUIRE(optimizer->name() == spec.class_name);
    }
  }
}

TEST_CASE("the optimizers that every model offers by name are the built-in ones") {
  std::set<std::string> offered, built_in;
  for (const auto& known : levin::detail::builtin_optimizers) offered.insert(known.id);
  for (const auto& id : spec_ids(optimizer_table())) built_in.insert(id);
  CHECK(offered == built_in);
}

TEST_CASE("wrong optimizers and options are refused with the valid names") {
  struct Row {
    std::string name, options, message;
  };
  const Row rows[] = {
      {"adamm", "{}", "did you mean 'adam'?"},
      {"nothing", "{}", "known: sgd, adam, adamw, adagrad, rmsprop, lbfgs, nadam, radam, "},
      {"sgd", R"({"momentun": 0.9})", "did you mean 'momentum'?"},
      {"sgd", R"({"lr": -1})", "option 'lr': -1 is not valid"},
      {"sgd", R"({"nesterov": true})", "nesterov needs a momentum"},
      {"adam", R"({"betas": [0.9, 1.0]})", "betas must be two numbers"},
      {"adam", R"({"betas": 0.9})", "betas must be two numbers"},
      {"rprop", R"({"etas": [1.2, 0.5]})", "etas must be two numbers, the first between 0 and 1"},
      {"rprop", R"({"step_sizes": [1, 0.5]})", "step_sizes must be two numbers from 0, the smaller one first"},
      {"muon", R"({"ns_coefficients": [1, 2]})", "ns_coefficients must be three numbers"},
      {"muon", R"({"adjust_lr_fn": "rms"})", "match_rms_adamw"},
      {"lion", R"({"maximize": true})", "no option 'maximize'"},
      {"adadelta", R"({"rho": 1.5})", "option 'rho': 1.5 is not valid"},
      {"lbfgs", R"({"line_search_fn": "wolfe"})", "strong_wolfe"},
      {"sgd", "[]", "must be an object"},
  };
  for (const auto& row : rows) {
    INFO(row.name << " " << row.options);
    REQUIRE_THROWS_WITH(make_optimizer(row.name, json::parse(row.options), {group_of("a", at::zeros({2, 2}))}),
                        ContainsSubstring(row.message));
  }
}

TEST_CASE("muon refuses parameters that are not matrices by name") {
  for (const at::Tensor& param : {at::zeros({2}), at::zeros({2, 2, 2, 2}), at::zeros({2, 2}, at::kComplexFloat)})
    CHECK_THROWS_WITH(make_optimizer("muon", nullptr, {group_of("a", param)}),
                      ContainsSubstring("parameter 'a.weight' has the shape [2") &&
                          ContainsSubstring("muon takes real matrices only"));
}

TEST_CASE("a group's options override the optimizer's") {
  const auto optimizer = make_optimizer("adam", {{"lr", 0.5}, {"betas", {0.8, 0.9}}},
                                        {group_of("a", at::zeros({2})), group_of("b", at::zeros({2}), {{"lr", 0.1}})});
  REQUIRE(optimizer->get(0, "lr") == 0.5);
  REQUIRE(optimizer->get(1, "lr") == 0.1);
  REQUIRE(optimizer->get(1, "beta1") == 0.8);
  REQUIRE(optimizer->get(1, "beta2") == 0.9);
  REQUIRE_THROWS_WITH(optimizer->get(0, "momentum"), ContainsSubstring("has no option 'momentum'"));
}

TEST_CASE("a parameter cannot be in two groups, and a refused group leaves no trace") {
  at::Tensor param = at::zeros({2});
  const auto optimizer = sgd({{"lr", 1}}, param);
  REQUIRE_THROWS_WITH(optimizer->add_group(group_of("b", param)), ContainsSubstring("already in a parameter group"));
  REQUIRE_THROWS_WITH(optimizer->add_group(group_of("b", at::zeros({1}), {{"lr", "fast"}})),
                      ContainsSubstring("group 'b'"));
  REQUIRE(optimizer->group_count() == 1);
}

TEST_CASE("the rates of all groups are multiplied for a while, and then the same to the last bit") {
  const auto optimizer = sgd({{"lr", 0.1}}, at::zeros({1}));
  optimizer->add_group(group_of("b", at::zeros({1}), {{"lr", 0.3}}));
  {
    const RateScope half(*optimizer, 1.0 / 3);
    CHECK(optimizer->lr(0) == Approx(0.1 / 3));
    CHECK(optimizer->lr(1) == Approx(0.1));
  }
  CHECK(optimizer->lr(0) == 0.1);
  CHECK(optimizer->lr(1) == 0.3);
}

TEST_CASE("zero_grad drops gradients or fills them with zeros") {
  at::Tensor param = at::ones({2});
  const auto optimizer = sgd({{"lr", 1}}, param);
  param.mul(2).sum().backward();
  optimizer->zero_grad(false);
  REQUIRE(param.grad().equal(at::zeros({2})));
  optimizer->zero_grad();
  REQUIRE(!param.grad().defined());
}

TEST_CASE("a closure runs with gradients and its loss comes back") {
  at::Tensor param = at::ones({2});
  const auto optimizer = sgd({{"lr", 0.5}}, param);
  const at::NoGradGuard no_grad;
  const at::Tensor loss = optimizer->step([&] {
    at::Tensor value = param.sum();
    optimizer->zero_grad();
    value.backward();
    return value;
  });
  REQUIRE(loss.item<double>() == 2);
  REQUIRE(param.equal(at::full({2}, 0.5)));
}

TEST_CASE("a graph that still needs a parameter's old value learns that it was changed") {
  at::Tensor param = at::ones({2});
  const auto optimizer = sgd({{"lr", 0.5}}, param);
  const at::Tensor loss = param.mul(param).sum();
  param.mutable_grad() = at::ones({2});
  optimizer->step();
  REQUIRE_THROWS(loss.backward());
}

TEST_CASE("parameters of half precision and sparse gradients are stepped by operators") {
  at::Tensor half = at::ones({4}, at::kBFloat16);
  const auto first = sgd({{"lr", 0.5}, {"momentum", 0.5}}, half);
  half.mutable_grad() = at::ones({4}, at::kBFloat16);
  first->step();
  REQUIRE(half.detach().equal(at::full({4}, 0.5, at::kBFloat16)));

  at::Tensor table = at::ones({3, 2});
  const auto second = sgd({{"lr", 0.5}}, table);
  table.mutable_grad() = at::sparse_coo_tensor(at::full({1, 1}, 1, at::kLong), at::ones({1, 2}), {3, 2});
  second->step();
  REQUIRE(table.detach().sum().item<double>() == 5);
  for (const char* name : {"adam", "lamb", "muon"}) {
    const auto third = make_optimizer(name, nullptr, {group_of("a", at::ones({3, 2}))});
    third->groups()[0].params[0].mutable_grad() = table.grad();
    REQUIRE_THROWS_WITH(third->step(), ContainsSubstring("sparse"));
  }
}

TEST_CASE("large tensors are stepped like small ones, on any number of threads") {
  const int64_t n = (1 << 18) + 12345;
  at::Tensor large = at::rand({n}), grad = at::rand({n}) + 0.5;
  at::Tensor small = large.clone();
  const auto all = make_optimizer("adam", {{"lr", 0.1}}, {group_of("a", large)});
  const auto head = make_optimizer("adam", {{"lr", 0.1}}, {group_of("a", small.narrow(0, 0, 1000).clone())});
  at::Tensor part = head->groups()[0].params[0];
  for (int i = 0; i < 3; ++i) {
    large.mutable_grad() = grad;
    part.mutable_grad() = grad.narrow(0, 0, 1000).clone();
    all->step();
    head->step();
  }
  REQUIRE(large.detach().narrow(0, 0, 1000).equal(part.detach()));
  REQUIRE((large.detach() != small.detach()).all().item<bool>());
}

TEST_CASE("sgd gives the bits of PyTorch's operators") {
  const json rows[] = {{{"lr", 0.013}},
                       {{"lr", 0.013}, {"weight_decay", 0.007}},
                       {{"lr", 0.013}, {"momentum", 0.9}, {"dampening", 0.3}, {"weight_decay", 0.007}},
                       {{"lr", 0.013}, {"momentum", 0.9}, {"nesterov", true}, {"maximize", true}}};
  for (const json& options : rows)
    for (const auto type : {at::kFloat, at::kDouble}) {
      INFO(options.dump() << " " << type);
      at::manual_seed(1);
      at::Tensor param = at::randn({1037}, type), buffer;
      at::Tensor expected = param.clone();
      const auto optimizer = sgd(options, param);
      for (int step = 0; step < 5; ++step) {
        const at::Tensor gradient = at::randn({1037}, type);
        // torch.optim.SGD
        at::Tensor d = options.value("maximize", false) ? -gradient : gradient;
        if (options.contains("weight_decay")) d = d.add(expected, 0.007);
        if (options.contains("momentum")) {
          buffer = step == 0 ? d.clone() : buffer.mul(0.9).add(d, 1 - options.value("dampening", 0.0));
          d = options.value("nesterov", false) ? d.add(buffer, 0.9) : buffer;
        }
        expected.add_(d, -0.013);
        param.mutable_grad() = gradient;
        optimizer->step();
      }
      REQUIRE(at::equal(param, expected));
    }
}

TEST_CASE("a step of lamb depends neither on the number of threads nor on other parameters") {
  const int threads = at::get_num_threads();
  const at::Tensor start = at::rand({(1 << 18) + 12345}), grad = at::rand_like(start) - 0.5;
  const auto step = [&](int n, std::vector<ParamGroup> before) {
    at::set_num_threads(n);
    at::Tensor param = start.clone();
    before.push_back(group_of("a", param));
    const auto optimizer = make_optimizer("lamb", {{"weight_decay", 0.1}}, std::move(before));
    param.mutable_grad() = grad;
    optimizer->step();
    return param.detach();
  };
  ParamGroup other = group_of("b", at::ones({1000}));
  other.params[0].mutable_grad() = at::ones({1000});
  const at::Tensor alone = step(1, {});
  CHECK(!alone.equal(start));
  CHECK(alone.equal(step(2, {})));
  CHECK(alone.equal(step(2, {other})));
  at::set_num_threads(threads);
}

TEST_CASE("a schedule moves an optimizer's learning rate and momentum") {
  const auto optimizer = sgd({{"lr", 0.1}, {"momentum", 0.9}}, at::zeros({1}));
  const auto schedule = make_scheduler("one_cycle", {{"max_lr", 1.0}, {"total_steps", 10}}, *optimizer);
  REQUIRE(optimizer->get(0, "lr") == Approx(0.04));
  REQUIRE(optimizer->get(0, "momentum") == Approx(0.95));
  schedule->step();
  schedule->step();
  REQUIRE(optimizer->get(0, "lr") == Approx(1.0));
  REQUIRE(optimizer->get(0, "momentum") == Approx(0.85));
  REQUIRE(optimizer->state_dict().values["groups"][0]["initial_lr"] == Approx(0.04));

  const auto adagrad = make_optimizer("adagrad", nullptr, {group_of("a", at::zeros({1}))});
  REQUIRE_THROWS_WITH(make_scheduler("one_cycle", {{"max_lr", 1.0}, {"total_steps", 10}}, *adagrad),
                      ContainsSubstring("no momentum"));
}

TEST_CASE("state that does not fit is refused") {
  at::Tensor param = at::ones({2});
  const auto source = sgd({{"lr", 1}, {"momentum", 0.9}}, param);
  param.mutable_grad() = at::ones({2});
  source->step();
  const OptimizerState good = source->state_dict();
  REQUIRE(good.tensors[0].first == "0.a.weight.momentum_buffer");

  const auto adam = make_optimizer("adam", nullptr, {group_of("a", at::ones({2}))});
  REQUIRE_THROWS_WITH(adam->load_state_dict(good), ContainsSubstring("saved by 'sgd'"));
  const auto longer = sgd({{"lr", 1}}, at::ones({3}));
  REQUIRE_THROWS_WITH(longer->load_state_dict(good), ContainsSubstring("differs in shape"));
  const auto renamed = make_optimizer("sgd", {{"lr", 1}}, {group_of("b", at::ones({2}))});
  REQUIRE_THROWS_WITH(renamed->load_state_dict(good), ContainsSubstring("other parameters"));
  OptimizerState stray = good;
  stray.tensors[0].first = "0.a.weight.exp_avg";
  REQUIRE_THROWS_WITH(source->load_state_dict(stray), ContainsSubstring("is not a state of this optimizer"));
}
