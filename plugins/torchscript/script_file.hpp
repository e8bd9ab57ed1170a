// Reads TorchScript files and refuses files that hold no network to train.
#pragma once
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace torchscript {

struct Script {
  torch::jit::Module module;
  std::vector<std::string> warnings;  // what of the network does not follow training and evaluation mode
};

// Loads a file of torch.jit.save onto the CPU. Throws levin::Error with what the file is and how to write a TorchScript
// file if it is something else (a state dict, a file of torch.export), or if the network cannot be trained: it has no
// parameters, contains quantized layers, or its forward takes more than one tensor.
Script read_script(const std::string& file);

}  // namespace torchscript
