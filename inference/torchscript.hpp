// Exports a model as TorchScript by tracing its forward.
#pragma once
#include <string>

#include "inference/loaded_model.hpp"

namespace levin::core {

// Writes a file that Python's torch.jit.load and C++'s torch::jit::load read without Levin: the network in evaluation
// mode, with its parameters and buffers by their names. The inputs are those of the training data. The written module
// is read again and compared with the model on other batches. Replaces `path` atomically. Returns a note on the file,
// or "". Throws Error if forward cannot be traced, or if the trace is wrong for other batches.
std::string write_torchscript(LoadedModel& model, const std::string& path);

}  // namespace levin::core
