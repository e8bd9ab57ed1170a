// The task simclr: its loss against the formula of the paper, the projection head, views and ranks.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include <cmath>

#include "catch.hpp"
#include "levin/testing/torch.hpp"

namespace contrastive {
namespace {

using levin::detail::nt_xent;
using levin::detail::Views;
using levin::testing::Options;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

struct Net : torch::nn::Module {
  torch::nn::Linear features{nullptr}, head{nullptr};
  explicit Net(const levin::DataInfo& data) {
    features = register_module("features", torch::nn::Linear(4, 8));
    head = register_module("head", torch::nn::Linear(8, levin::outputs_of(data)));
  }
  torch::Tensor forward(torch::Tensor x) { return head(features(x).relu()); }
};
struct Pixels : Net {
  using Net::Net;
  torch::Tensor forward(torch::Tensor x) { return Net::forward(x).unsqueeze(2); }
};
const levin_component net = levin::network<Net>("contrasted", "for tests");
const levin_component pixels = levin::network<Pixels>("contrasted_pixels", "for tests");

const levin::Field x = levin::input("x", levin::float32, {4});
const levin::Field x2{"x2", levin::float32, {4}, LEVIN_ROLE_OTHER, 0, {}};
const std::vector<levin::Field> two_views = {x, levin::target("y", 3), x2};
const Options simclr = {{"task", "simclr"}, {"projection", 6}, {"temperature", 0.25}};

// The second view is the first one with a little noise, so that a network of any start learns to find it.
std::vector<torch::Tensor> batch_of(int64_t rows) {
  const torch::Tensor first = torch::randn({rows, 4});
  return {first, torch::zeros({rows}, torch::kLong), first + 0.05 * torch::randn({rows, 4})};
}
double logged(const TorchHost& host, const std::string& name) {
  for (const auto& [key, value] : host.logged)
    if (key == name) return value;
  return -1;
}

// Equation 1 and algorithm 1 of the paper, written out: rows 2k-1 and 2k of z are views of one row.
double by_the_paper(const std::vector<std::vector<double>>& z, double temperature) {
  const auto similarity = [&](size_t i, size_t j) {
    double product = 0, a = 0, b = 0;
    for (size_t d = 0; d < z[i].size(); ++d)
      product += z[i][d] * z[j][d], a += z[i][d] * z[i][d], b += z[j][d] * z[j][d];
    return product / std::sqrt(a * b);
  };
  double sum = 0;
  for (size_t i = 0; i < z.size(); ++i) {
    const size_t partner = i % 2 == 0 ? i + 1 : i - 1;
    double others = 0;
    for (size_t k = 0; k < z.size(); ++k)
      if (k != i) others += std::exp(similarity(i, k) / temperature);
    sum -= std::log(std::exp(similarity(i, partner) / temperature) / others);
  }
  return sum / static_cast<double>(z.size());
}
const std::vector<std::vector<double>> paired = {{1, 0, 2}, {1, 1, 2}, {0, 3, -1}, {-1, 2, 0}, {2, 2, 1}, {-2, 0, 1}};

torch::Tensor stacked() {  // the first views, then the second ones
  torch::Tensor z = torch::zeros({6, 3}, torch::kDouble);
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t d = 0; d < 3; ++d) z[(i % 2) * 3 + i / 2][d] = paired[static_cast<size_t>(i)][static_cast<size_t>(d)];
  return z;
}

}  // namespace

TEST_CASE("the loss of simclr is that of the paper") {
  const Views views = levin::detail::views_of(stacked());
  for (const double temperature : {0.1, 0.5, 2.0})
    CHECK(nt_xent(views, views, 0, temperature).loss.item<double>() == Approx(by_the_paper(paired, temperature)));
  // Of the six rows only the last pair is not each other's nearest.
  CHECK(nt_xent(views, views, 0, 0.5).acc.item<double>() == Approx(4.0 / 6));
}

TEST_CASE("the rows of other ranks are negatives, and the mean over the ranks is the loss of all rows") {
  const Views all = levin::detail::views_of(stacked());
  const auto part = [&](int64_t from, int64_t to) -> Views {
    return {all.first.slice(0, from, to), all.second.slice(0, from, to)};
  };
  const double first = nt_xent(part(0, 2), all, 0, 0.5).loss.item<double>(),
               second = nt_xent(part(2, 3), all, 2, 0.5).loss.item<double>();
  CHECK((2 * first + second) / 3 == Approx(by_the_paper(paired, 0.5)));
}

TEST_CASE("simclr trains a network of any target, with the width of the projection in place of the classes") {
  TorchHost host;
  TorchModel model(host, net, simclr, two_views);
  auto parameters = model.parameters();
  CHECK(parameters.at("head.weight").sizes() == at::IntArrayRef({6, 8}));
  CHECK(parameters.at("projection.out.weight").sizes() == at::IntArrayRef({6, 6}));
  const std::vector<torch::Tensor> batch = batch_of(8);
  const levin::Outputs out = model.training_step(batch);
  out.loss.backward();
  for (const char* name : {"features.weight", "head.weight", "projection.norm.weight", "projection.out.weight"})
    CHECK(parameters.at(name).grad().abs().sum().item<double>() > 0);
  CHECK(logged(host, "train_loss") == Approx(out.loss.item<double>()));
  CHECK(logged(host, "train_acc") >= 0);
  double loss = 0;
  for (int i = 0; i < 200; ++i) loss = model.learn(batch, 0.1);
  CHECK(loss < out.loss.item<double>());
  model.validation_step(batch);
  CHECK(logged(host, "val_acc") >= 0.5);

  const levin::Outputs predicted = model.predict_step(batch);
  CHECK(predicted.extras.at(0).second.norm(2, {1}).allclose(torch::ones({8})));
}

TEST_CASE("simclr compares with the projections of all ranks in training alone") {
  TorchHost host;
  TorchModel model(host, net, simclr, two_views);
  const std::vector<torch::Tensor> batch = batch_of(8);
  const double alone = model.training_step(batch).loss.item<double>();
  host.world_size = 2;
  host.rank = 1;
  torch::Tensor own;
  const torch::Tensor other = torch::randn({8, 6});
  host.gathered = [&](levin_tensor* mine) -> std::vector<levin_tensor*> {
    own = levin::to_torch(mine);
    return {levin::release(torch::Tensor(other)), levin::release(torch::Tensor(own))};
  };
  const double together = model.training_step(batch).loss.item<double>();
  CHECK(together > alone);
  REQUIRE(own.sizes() == at::IntArrayRef({16, 6}));
  const Views theirs = levin::detail::views_of(other), mine = levin::detail::views_of(own);
  const Views all{torch::cat({theirs.first, mine.first}), torch::cat({theirs.second, mine.second})};
  CHECK(together == Approx(nt_xent(mine, all, 4, 0.25).loss.item<double>()));
  host.gathered = [](levin_tensor*) -> std::vector<levin_tensor*> { throw std::logic_error("not in a validation"); };
  CHECK_NOTHROW(model.validation_step(batch));
}

TEST_CASE(
    "simclr refuses data without a second view, options of other tasks, and networks without a vector of scores") {
  const auto refused = [](const Options& more, const std::vector<levin::Field>& fields) {
    TorchHost host;
    Options options = simclr;
    for (const auto& [name, value] : more.values) options.values[name] = value;
    try {
      TorchModel(host, net, options, fields);
    } catch (const levin::Error& e) {
      return host.failure.empty() ? std::string(e.what()) : host.failure;
    }
    return std::string();
  };
  CHECK(refused({}, two_views).empty());
  CHECK(refused({}, {x, levin::target("y", 3)}).find("no field 'x2' of the shape [4]: give --data.views 2") !=
        std::string::npos);
  CHECK(refused({}, {x, {"x2", levin::float32, {5}, LEVIN_ROLE_OTHER, 0, {}}}).find("no field 'x2'") !=
        std::string::npos);
  CHECK(refused({{"label_smoothing", 0.1}}, two_views).find("--model.label_smoothing is for classes") !=
        std::string::npos);
  CHECK(refused({{"loss", "mse"}}, two_views).find("the loss of the task simclr is NT-Xent") != std::string::npos);
  CHECK(refused({{"metrics", "auroc"}}, two_views).find("--model.metrics is for tasks with a target") !=
        std::string::npos);
  CHECK(refused({{"teacher", "a.ckpt"}}, two_views).find("--model.teacher is for classes") != std::string::npos);

  TorchHost host;
  TorchModel model(host, pixels, simclr, two_views);
  CHECK_THROWS(model.training_step(batch_of(2)));
  CHECK(host.failure.find("needs a vector of 6 scores for each row (--model.projection), and forward returned [4, 6, "
                          "1]") != std::string::npos);
}

}  // namespace contrastive
