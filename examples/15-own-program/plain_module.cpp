// Trains a torch::nn::Module that knows nothing of Levin. Options by name need C++20.
#include <torch/nn.h>
#include <levin/trainer.hpp>

#include <iostream>

int main() {
  const torch::Tensor x = torch::randn({512, 4}), y = (x.sum(1) > 0).to(torch::kLong);
  torch::nn::Sequential net(torch::nn::Linear(4, 16), torch::nn::ReLU(), torch::nn::Linear(16, 2));
  levin::Classification model(net, /*classes=*/2, {{"optimizer", "adam"}, {"lr", 0.01}});
  levin::Trainer trainer({.max_epochs = 5, .batch_size = 32});
  const levin::RunMetrics metrics = trainer.fit(model, {x, y}, {x, y});
  std::cout << "val_acc " << metrics.at("val_acc") << "\n";
  trainer.save_checkpoint("plain.ckpt");
}
