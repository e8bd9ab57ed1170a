// Traces the forward of a model as a TorchScript graph.
#pragma once
#include <torch/csrc/jit/api/module.h>

#include <vector>

#include "inference/loaded_model.hpp"

namespace levin::core {

struct Trace {
  torch::jit::Module module;
  bool reads_values = false;   // may depend on numbers read from its input
  bool makes_tensors = false;  // on the device of the trace, wherever the module is moved
};

// any_rows: true replaces constants that are multiples of the batch's number of rows by expressions of that number. The
// batch's number of rows should then be one that the network rarely contains otherwise. Throws the errors of LibTorch
// and the model.
Trace trace_forward(LoadedModel& model, const std::vector<at::Tensor>& inputs, bool any_rows);

// Packs one tensor as itself, several as a tuple. unpacked() reverses it.
c10::IValue packed(const std::vector<at::Tensor>& tensors);
std::vector<at::Tensor> unpacked(const c10::IValue& value);

}  // namespace levin::core
