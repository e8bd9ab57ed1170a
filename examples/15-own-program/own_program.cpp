// Trains a model of this program on its own tensors.
#include <torch/nn.h>
#include <levin/trainer.hpp>

#include <iostream>

struct Net : levin::Model {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(2, 1));
  torch::Tensor loss(const levin::Batch& batch) { return torch::mse_loss(layer(batch.input()), batch.target()); }
  torch::Tensor training_step(const levin::Batch& batch) { return loss(batch); }
  void validation_step(const levin::Batch& batch) { log("val_loss", loss(batch)); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.05}}); }
};

int main() {
  const torch::Tensor x = torch::randn({256, 2}), y = x.sum(1, true);
  Net net;
  levin::TrainerOptions options;
  options.max_epochs = 3;
  levin::Trainer trainer(options);  // with C++20: levin::Trainer trainer({.max_epochs = 3});
  trainer.on_train_epoch_end([](const levin::Event& event) { std::cout << "epoch " << event.epoch() << "\n"; });
  const levin::RunMetrics metrics = trainer.fit(net, {x, y}, {x, y});
  std::cout << "val_loss " << metrics.at("val_loss") << "\n";
  trainer.save_checkpoint("net.ckpt");
}
