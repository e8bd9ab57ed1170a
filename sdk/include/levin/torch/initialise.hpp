// Initialises the weights of any network by the name of a method.
#pragma once
#include <ATen/core/grad_mode.h>
#include <torch/nn/init.h>
#include <torch/nn/module.h>

#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

// Sets weights of two and more dimensions by the method (one of levin::detail::initialisers), and the biases beside
// them to 0. normal has the standard deviation 0.02. Norms keep their values; "default" changes nothing.
inline void initialise(torch::nn::Module& network, const std::string& method) {
  if (method == "default") return;
  const at::NoGradGuard no_grad;
  namespace init = torch::nn::init;
  for (const auto& module : network.modules()) {
    bool has_matrix = false;
    for (const auto& parameter : module->named_parameters(/*recurse=*/false)) {
      at::Tensor weight = parameter.value();
      if (weight.dim() < 2) continue;
      has_matrix = true;
      if (method == "normal") init::normal_(weight, 0, 0.02);
      if (method == "orthogonal") init::orthogonal_(weight);
      if (method == "kaiming_normal") init::kaiming_normal_(weight, 0, torch::kFanOut, torch::kReLU);
      if (method == "kaiming_uniform") init::kaiming_uniform_(weight, 0, torch::kFanOut, torch::kReLU);
      if (method == "xavier_normal") init::xavier_normal_(weight);
      if (method == "xavier_uniform") init::xavier_uniform_(weight);
    }
    if (!has_matrix) continue;
    for (const auto& parameter : module->named_parameters(/*recurse=*/false))
      if (parameter.value().dim() == 1 && parameter.key().find("bias") != std::string::npos) parameter.value().zero_();
  }
}

}  // namespace levin
#pragma GCC visibility pop
