// A network from a TorchScript file as a module of LibTorch's C++ API.
#pragma once
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/module.h>

#include <string>
#include <vector>

#include "levin/options.hpp"
#include "script_file.hpp"

namespace torchscript {

// A module of the file. Its parameters and buffers are the tensors of the TorchScript module, under the same names, so
// that whatever loads, moves or changes them changes the network that forward runs.
class Part : public torch::nn::Module {
 public:
  explicit Part(const torch::jit::Module& script);
  void train(bool on = true) override;

 protected:
  torch::jit::Module script_;
};

class Network : public Part {
 public:
  static constexpr levin_option options[] = {
      levin::required(levin::path("file", "null", "TorchScript file of the network, from torch.jit.save"))};

  explicit Network(const levin::Args& args);
  explicit Network(Script script);
  // Returns the first tensor of the network's output; of a dictionary, "out" if it has this key. The operators run as
  // the file has them: TorchScript's optimizer rewrites a graph after its first runs, and a resumed run would then
  // compute its first steps with other operators than the run that it continues.
  torch::Tensor forward(torch::Tensor input);
  const std::vector<std::string>& warnings() const { return warnings_; }  // for the user, about the file

 private:
  std::vector<std::string> warnings_;
};

}  // namespace torchscript
