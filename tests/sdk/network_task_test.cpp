// levin::network, and the options that every network has: freezing, learning rates by name, initialisers, weights.
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include "catch.hpp"
#include "levin/testing/torch.hpp"

using levin::testing::Options;
using levin::testing::Planned;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

namespace {

using Fields = std::vector<levin::Field>;
const levin::Field input = levin::input("x", levin::float32, {4});
const Fields of_classes = {input, levin::target("y", 3)};
const Fields of_numbers = {input, {"y", levin::float32, {3}, LEVIN_ROLE_TARGET, 0, {}}};
const Fields of_one_number = {input, {"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}}};
const Fields of_pixels = {levin::input("x", levin::float32, {4, 2, 2}),
                          {"y", levin::int64, {2, 2}, LEVIN_ROLE_TARGET, 3, {}}};

// Linear layers over the second dimension, so that it also takes images.
struct Net : torch::nn::Module {
  torch::nn::Linear features{nullptr}, head{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  explicit Net(const levin::DataInfo& data) {
    features = register_module("features", torch::nn::Linear(4, 8));
    norm = register_module("norm", torch::nn::BatchNorm1d(8));
    head = register_module("head", torch::nn::Linear(8, levin::outputs_of(data)));
  }
  torch::Tensor forward(torch::Tensor x) {
    const torch::Tensor rows = x.movedim(1, -1);
    const torch::Tensor inner = norm(features(rows).flatten(0, -2)).relu();
    std::vector<int64_t> shape = rows.sizes().vec();
    shape.back() = -1;
    return head(inner).view(shape).movedim(-1, 1);
  }
};
const levin_component net = levin::network<Net>("net", "for tests");

struct Model {
  TorchHost host;
  TorchModel model;
  explicit Model(const Options& options, const Fields& fields = of_classes) : model(host, net, options, fields) {}
  double logged(const std::string& name) const {
    for (const auto& [key, value] : host.logged)
      if (key == name) return value;
    return -1;
  }
};
torch::Tensor output_named(const levin::Outputs& out, const std::string& name) {
  for (const auto& [key, tensor] : out.extras)
    if (key == name) return tensor;
  return {};
}
std::vector<torch::Tensor> rows(const torch::Tensor& target) { return {torch::randn({target.size(0), 4}), target}; }
const torch::Tensor labels = torch::arange(6).remainder(3);

}  // namespace

TEST_CASE("a network is trained for the target of the data") {
  CHECK(Model({}).model.training_step(rows(labels)).loss.item<double>() > 0);
  Model numbers({}, of_numbers);
  const std::vector<torch::Tensor> batch = rows(torch::randn({6, 3}));
  const levin::Outputs out = numbers.model.validation_step(batch);
  CHECK(out.loss.item<double>() == Approx((output_named(out, "prediction") - batch[1]).square().mean().item<double>()));
  CHECK(numbers.logged("val_mae") > 0);
}

TEST_CASE("a metric by name takes the place of the one that the task logs itself") {
  Model numbers({{"metrics", "mae, rmse"}}, of_numbers);
  numbers.model.validation_step(rows(torch::randn({6, 3})));
  for (const char* name : {"val_mae", "val_rmse"})
    CHECK(std::count_if(numbers.host.logged.begin(), numbers.host.logged.end(),
                        [&](const auto& one) { return one.first == name; }) == 1);
}

TEST_CASE("a target of rows does not fit a network of pixels, nor one of pixels a network of rows") {
  Model pixels({}, of_pixels);
  CHECK_THROWS_WITH(pixels.model.training_step({torch::randn({6, 4, 2, 2}), labels}),
                    ContainsSubstring("this network needs a class for each pixel or token"));
  CHECK_THROWS_WITH(Model({}).model.validation_step(rows(labels.view({6, 1}))),
                    ContainsSubstring("this network needs one class a row"));
}

TEST_CASE("a network classifies pixels, and leaves out those that are not labelled") {
  Model pixels({}, of_pixels);
  torch::Tensor target = torch::arange(20).remainder(3).view({5, 2, 2});
  target.select(0, 0).fill_(-100);
  const levin::Outputs out = pixels.model.validation_step({torch::randn({5, 4, 2, 2}), target});
  CHECK(output_named(out, "scores").sizes() == at::IntArrayRef({5, 3, 2, 2}));
  const torch::Tensor seen = target.slice(0, 1), found = output_named(out, "prediction").slice(0, 1);
  CHECK(pixels.logged("val_acc") == Approx(found.eq(seen).to(at::kFloat).mean().item<double>()));
}

TEST_CASE("multi-label targets have their own loss and metrics") {
  Model labels({{"task", "multilabel"}, {"class_weights", "1, 2, 3"}}, of_numbers);
  const torch::Tensor target = torch::randint(2, {6, 3}).to(at::kFloat);
  const std::vector<torch::Tensor> batch = rows(target);
  const levin::Outputs trained = labels.model.training_step(batch);
  CHECK(trained.loss.item<double>() ==
        Approx(at::binary_cross_entropy_with_logits(output_named(trained, "scores"), target, {},
                                                    torch::tensor({1.f, 2.f, 3.f}))
                   .item<double>()));
  const levin::Outputs out = labels.model.validation_step(batch);
  CHECK(out.loss.item<double>() ==
        Approx(at::binary_cross_entropy_with_logits(output_named(out, "scores"), target).item<double>()));
  const torch::Tensor right = output_named(out, "scores").gt(0).to(at::kFloat).eq(target);
  CHECK(labels.logged("val_acc") == Approx(right.to(at::kFloat).mean().item<double>()));
  const levin::Outputs predicted = labels.model.predict_step(batch);
  CHECK(output_named(predicted, "prediction").scalar_type() == at::kLong);
  CHECK(output_named(predicted, "probabilities").equal(output_named(out, "scores").sigmoid()));
}

TEST_CASE("multi-label targets have the metrics of labels by name, and may be a single number") {
  Model labels({{"task", "multilabel"}, {"metrics", "f1:micro, exact_match"}}, of_numbers);
  labels.model.validation_step(rows(torch::ones({6, 3})));
  for (const char* name : {"val_f1", "val_f1_micro", "val_exact_match"}) CHECK(labels.logged(name) >= 0);
  Model one({{"task", "multilabel"}, {"metrics", "f1"}}, of_one_number);
  const levin::Outputs out = one.model.validation_step(rows(torch::tensor({1.f, 0.f, 1.f, 1.f, 0.f})));
  const torch::Tensor right = output_named(out, "prediction").eq(output_named(out, "target"));
  CHECK(right.sizes() == at::IntArrayRef({5, 1}));
  CHECK(one.logged("val_acc") == Approx(right.to(at::kFloat).mean().item<double>()));
}

TEST_CASE("class weights count in training") {
  Model weighted({{"class_weights", "1, 0, 2"}});
  const std::vector<torch::Tensor> batch = rows(labels);
  const levin::Outputs out = weighted.model.training_step(batch);
  CHECK(
      out.loss.item<double>() ==
      Approx(
          at::cross_entropy_loss(output_named(out, "scores"), labels, torch::tensor({1.f, 0.f, 2.f})).item<double>()));
  const levin::Outputs evaluated = weighted.model.validation_step(batch);
  CHECK(evaluated.loss.item<double>() ==
        Approx(at::cross_entropy_loss(output_named(evaluated, "scores"), labels).item<double>()));
}

TEST_CASE("parameters are frozen by patterns, the last of which decides") {
  Model frozen({{"freeze", "*, !head, *.bias"}});
  auto parameters = frozen.model.parameters();
  CHECK_FALSE(parameters.at("features.weight").requires_grad());
  CHECK_FALSE(parameters.at("norm.weight").requires_grad());
  CHECK(parameters.at("head.weight").requires_grad());
  CHECK_FALSE(parameters.at("head.bias").requires_grad());
}

TEST_CASE("learning rates and decay go by groups of parameters") {
  Model grouped({{"lr", 0.5},
                 {"weight_decay", 0.25},
                 {"decay_norms", false},
                 {"lr_scale", "features:0.1, *.bias:2"},
                 {"freeze", "head.bias"},
                 {"scheduler", "one_cycle"}});
  const Planned planned = grouped.model.configure_optimizers();
  const auto& optimizer = planned.optimizers.at(0);
  REQUIRE(optimizer.groups ==
          std::vector<std::vector<std::string>>{
              {"features.weight"}, {"features.bias", "norm.bias"}, {"norm.weight"}, {"head.weight"}});
  CHECK(optimizer.group_options[0] == R"({"lr":0.050000000000000003})");
  CHECK(optimizer.group_options[1] == R"({"lr":1,"weight_decay":0})");
  CHECK(optimizer.group_options[2] == R"({"lr":0.5,"weight_decay":0})");
  CHECK(optimizer.group_options[3] == R"({"lr":0.5})");
  CHECK_THAT(planned.schedulers.at(0).options, ContainsSubstring(R"("max_lr":[0.050000000000000003,1,0.5,0.5])"));
  CHECK(Model({}).model.configure_optimizers().optimizers.at(0).groups.empty());
}

TEST_CASE("initialisers set weights, and leave norms alone") {
  for (const char* method :
       {"normal", "orthogonal", "kaiming_normal", "kaiming_uniform", "xavier_normal", "xavier_uniform"}) {
    INFO(method);
    Model initialised({{"init", method}});
    auto parameters = initialised.model.parameters();
    CHECK(parameters.at("features.bias").eq(0).all().item<bool>());
    CHECK(parameters.at("norm.weight").eq(1).all().item<bool>());
    CHECK(parameters.at("features.weight").ne(0).all().item<bool>());
  }
  const torch::Tensor weight = Model({{"init", "orthogonal"}}).model.parameters().at("features.weight");
  CHECK(weight.t().mm(weight).allclose(torch::eye(4), 1e-4, 1e-5));
}

TEST_CASE("options that do not suit the network or the data are refused by name") {
  struct Case {
    Options options;
    const Fields& fields;
    const char* reason;
  };
  const Case cases[] = {
      {{{"freeze", "backbone"}}, of_classes, "--model.freeze: the network has no parameter 'backbone'"},
      {{{"freeze", "*"}}, of_classes, "nothing to train"},
      {{{"lr_scale", "head"}}, of_classes, "'head' is not NAME:FACTOR"},
      {{{"lr_scale", "head:-1"}}, of_classes, "'head:-1' is not NAME:FACTOR"},
      {{{"class_weights", "1, 2"}}, of_classes, "has 2 numbers, and the target of the data 3 classes"},
      {{{"class_weights", "1, x, 2"}}, of_classes, "'x' is no number"},
      {{{"class_weights", "1, 1e99, 2"}}, of_classes, "'1e99' is no number from 0 to 1e30"},
      {{{"class_weights", "1, -1, 2"}}, of_classes, "'-1' is no number from 0"},
      {{{"class_weights", "0, 0, 0"}}, of_classes, "--model.class_weights 0, 0, 0: all weights are 0"},
      {{{"loss", "mse"}}, of_classes, "the task is classification, for which there are: cross_entropy, nll"},
      {{{"loss", "nll"}}, of_numbers, "the task is regression, for which there are: mse"},
      {{{"label_smoothing", 0.1}}, of_numbers, "--model.label_smoothing is for classes, and the task is regression"},
      {{{"class_weights", "1, 2, 1"}}, of_numbers, "--model.class_weights is for classes"},
      {{{"task", "multilabel"}}, of_classes, "one class a row"},
      {{{"task", "regression"}}, of_classes, "the target of the data is a class"},
      {{{"task", "classification"}}, of_numbers, "does not say how many classes"},
      {{{"task", "multilabel"}, {"metrics", "ece"}}, of_numbers, "here the targets are labels"},
  };
  for (const Case& c : cases) {
    INFO(c.reason);
    CHECK_THROWS_WITH(Model(c.options, c.fields), ContainsSubstring(c.reason));
  }
  Model unknown({{"lr_scale", "backbone:2"}});
  CHECK_THROWS_WITH(unknown.model.configure_optimizers(), ContainsSubstring("no parameter 'backbone'"));
}
