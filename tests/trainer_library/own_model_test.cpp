// The Trainer in a program with its own model, data and functions.
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/linear.h>

#include "catch.hpp"
#include "levin/trainer.hpp"
#include "temp_folder.hpp"

namespace {

struct Line : levin::Model {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(2, 1));
  torch::Tensor loss_of(const levin::Batch& batch) {
    return torch::nn::functional::mse_loss(layer->forward(batch.input()).squeeze(1), batch.target());
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    const torch::Tensor loss = loss_of(batch);
    log("train_loss", loss);
    return loss;
  }
  void validation_step(const levin::Batch& batch) { log("val_loss", loss_of(batch)); }
  void test_step(const levin::Batch& batch) { log("test_loss", loss_of(batch)); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}}); }
};

struct Rows {
  torch::Tensor x, y;
  explicit Rows(int64_t n, uint64_t seed = 1) {
    torch::manual_seed(seed);
    x = torch::randn({n, 2});
    y = x.select(1, 0) * 2 - x.select(1, 1) + 0.5;
  }
};

levin::TrainerOptions options(const TempFolder& folder, std::vector<std::string>* lines = nullptr) {
  levin::TrainerOptions out;
  out.max_epochs = 3;
  out.batch_size = 8;
  out.accelerator = "cpu";
  out.seed_everything = 1;
  out.default_root_dir = folder.path().string();
  out.log = [lines](int, const std::string& line) {
    if (lines) lines->push_back(line);
  };
  return out;
}

}  // namespace

TEST_CASE("a program fits its model on its tensors, and gets the metrics") {
  const TempFolder folder;
  const Rows train(64), val(16, 2);
  Line model;
  int epochs = 0;
  levin::Trainer trainer(options(folder));
  trainer.on_train_epoch_end([&](const levin::Event& event) { epochs += event.stage() == levin::Stage::fit; });
  const levin::RunMetrics metrics = trainer.fit(model, {train.x, train.y}, {val.x, val.y});
  CHECK(epochs == 3);
  CHECK(metrics.at("val_loss") < 0.1);
  CHECK(metrics.count("train_loss") == 1);
  const levin::RunMetrics validated = trainer.validate(model, {val.x, val.y});
  CHECK(validated.at("val_loss") == Approx(metrics.at("val_loss")));
  CHECK(trainer.test(model, {train.x, train.y}).at("test_loss") < 0.1);
}

TEST_CASE("save_checkpoint saves the fit, and a fit goes on from the file") {
  const TempFolder folder;
  const Rows train(64);
  const std::string file = folder.file("x.ckpt");
  Line first, second;
  levin::Trainer trainer(options(folder));
  trainer.fit(first, {train.x, train.y});
  trainer.save_checkpoint(file);
  levin::TrainerOptions longer = options(folder);
  longer.max_epochs = 4;
  int epochs = 0;
  levin::Trainer other(longer);
  other.on_train_epoch_end([&](const levin::Event&) { ++epochs; });
  other.fit(second, {train.x, train.y}, {}, file);
  CHECK(epochs == 1);
  Line third;
  const levin::RunMetrics tested = other.test(third, {train.x, train.y}, file);
  CHECK(tested.at("test_loss") == Approx(trainer.test(first, {train.x, train.y}).at("test_loss")));
}
