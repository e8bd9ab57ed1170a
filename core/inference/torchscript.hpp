// A model as TorchScript, by tracing its forward.
#pragma once
#include <string>

#include "core/inference/loaded_model.hpp"

namespace levin::core {

// Writes what torch.jit.load of Python and torch::jit::load of C++ take without Levin: the network in evaluation mode,
// with its parameters and buffers by their names. The inputs are those of the data that the model was trained on. What
// was written is read again and compared with the model for other batches. Replaces `path` in one step. Returns what is
// to be said of the file, or "". Throws Error if forward cannot be traced, or if the trace does not hold for other
// batches.
std::string write_torchscript(LoadedModel& model, const std::string& path);

}  // namespace levin::core
