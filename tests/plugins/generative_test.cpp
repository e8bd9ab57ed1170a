// The networks that make data: vae and dcgan.
#include "catch.hpp"
#include "levin/testing/torch.hpp"
#include "plugins/networks/table.hpp"

using levin::testing::Planned;
using levin::testing::StepArguments;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

namespace {

torch::Tensor predicted(TorchModel& model, const torch::Tensor& x) {
  for (const auto& [name, tensor] : model.predict_step({x}).extras)
    if (name == "prediction") return tensor;
  return {};
}
bool has_gradient(TorchModel& model, const char* parameter) {
  return model.parameters().at(parameter).grad().defined();
}
bool was_logged(const TorchHost& host, const std::string& name) {
  for (const auto& [key, value] : host.logged)
    if (key == name) return true;
  return false;
}

}  // namespace

TEST_CASE("a variational autoencoder learns images without a target") {
  torch::manual_seed(1);
  const torch::Tensor x = torch::rand({6, 1, 4, 4});
  for (const char* reconstruction : {"mse", "bce"}) {
    INFO(reconstruction);
    TorchHost host;
    TorchModel model(host, networks::vae(), {{"latent", 2}, {"hidden", 8}, {"reconstruction", reconstruction}},
                     {levin::input("x", levin::float32, {1, 4, 4})});
    const double before = model.validation_step({x}).loss.item<double>();
    for (int i = 0; i < 20; ++i) model.learn({x}, 0.01);
    CHECK(model.validation_step({x}).loss.item<double>() < before);
    CHECK(predicted(model, x).sizes() == x.sizes());
    CHECK(predicted(model, x).equal(predicted(model, x)));  // the mean is decoded, not a sample
  }
}

TEST_CASE("the networks of a DCGAN are trained in turns, each by its own optimizer") {
  torch::manual_seed(1);
  TorchHost host;
  TorchModel model(host, networks::dcgan(), {{"latent", 4}, {"width", 2}},
                   {levin::input("x", levin::float32, {3, 16, 16})});
  const Planned planned = model.configure_optimizers();
  REQUIRE(planned.optimizers.size() == 2);
  CHECK(planned.optimizers[0].groups == std::vector<std::vector<std::string>>{{"discriminator.*"}});
  CHECK(planned.optimizers[1].groups == std::vector<std::vector<std::string>>{{"generator.*"}});

  const torch::Tensor x = 2 * torch::rand({4, 3, 16, 16}) - 1;
  StepArguments turn;
  turn.optimizer_idx = 0;
  model.training_step({x}, turn).loss.backward();
  CHECK(has_gradient(model, "discriminator.main.0.weight"));
  CHECK_FALSE(has_gradient(model, "generator.main.0.weight"));
  turn.optimizer_idx = 1;
  model.training_step({x}, turn).loss.backward();
  CHECK(has_gradient(model, "generator.main.0.weight"));
  for (const char* name : {"discriminator_loss", "generator_loss"}) CHECK(was_logged(host, name));

  model.validation_step({x});
  CHECK(was_logged(host, "val_told_apart"));
  const torch::Tensor made = predicted(model, x);
  CHECK(made.sizes() == x.sizes());
  CHECK(made.abs().le(1).all().item<bool>());
}

TEST_CASE("a DCGAN refuses images of other sizes") {
  TorchHost host;
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{3, 24, 24}, {3, 16, 32}})
    CHECK_THROWS_WITH(TorchModel(host, networks::dcgan(), {}, {levin::input("x", levin::float32, shape)}),
                      ContainsSubstring("sides are equal and 16, 32"));
}
