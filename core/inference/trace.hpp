// The forward of a model as a graph of TorchScript.
#pragma once
#include <torch/csrc/jit/api/module.h>

#include <vector>

#include "core/inference/loaded_model.hpp"

namespace levin::core {

struct Trace {
  torch::jit::Module module;
  bool reads_values = false;   // decides by numbers in its input, perhaps
  bool makes_tensors = false;  // on the device of the trace, wherever the module will be
};

// any_rows: numbers that are multiples of the batch's rows become what they stand for, so that the rows have to be a
// number that the network hardly has otherwise. Throws what LibTorch or the model throws.
Trace trace_forward(LoadedModel& model, const std::vector<at::Tensor>& inputs, bool any_rows);

// One tensor as itself, several as a tuple; and back.
c10::IValue packed(const std::vector<at::Tensor>& tensors);
std::vector<at::Tensor> unpacked(const c10::IValue& value);

}  // namespace levin::core
