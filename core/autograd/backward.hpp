// The backward of a training step.
#pragma once
#include <ATen/core/Tensor.h>

namespace levin::core {

// Adds the gradients of the loss to the leaves of its graph: the same bits, in the same order and with the same errors
// as loss.backward(). Visits a graph of LibTorch's own CPU operators without the queues and locks of LibTorch's engine.
// Leaves all other graphs to the engine: those with hooks, custom functions, changed views, complex numbers or tensors
// on other devices; and all graphs while anomaly detection or a profiler is on.
void backward(const at::Tensor& loss, bool retain_graph);

}  // namespace levin::core
