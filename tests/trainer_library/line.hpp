// A small model of a program, its rows, and options for short runs.
#pragma once
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/linear.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "levin/trainer.hpp"
#include "temp_folder.hpp"

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
  torch::Tensor predict_step(const levin::Batch& batch) { return layer->forward(batch.input()).squeeze(1); }
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

inline levin::TrainerOptions options(const TempFolder& folder, std::vector<std::string>* lines = nullptr) {
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
