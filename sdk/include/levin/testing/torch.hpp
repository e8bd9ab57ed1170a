// Unit tests of models with LibTorch and without a host. Compile the plugin's sources into the test program and write
//
//   levin::testing::TorchHost host;
//   levin::testing::TorchModel model(host, "two_layers", {{"width", 8}},
//                                    {levin::input("x", levin::float32, {2}), levin::target("y", 2)});
//   const levin::Outputs out = model.training_step({torch::randn({4, 2}), torch::zeros({4}, torch::kLong)});
//   out.loss.backward();                               // model.parameters() have gradients
//   CHECK(host.logged.at(0).first == "train_loss");
//   CHECK(model.learn(batch, 0.1) > model.learn(batch, 0.1));
//
// Portable components work on a TorchHost too; all tensors are LibTorch tensors.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "levin/testing/torch_host.hpp"
#include "levin/testing/torch_model.hpp"
