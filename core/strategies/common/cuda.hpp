// Queries of the GPUs that this LibTorch can use.
#pragma once

namespace levin::core {

// Returns true if this LibTorch can use a GPU on this machine. The first call loads LibTorch's CUDA libraries if they
// exist.
bool cuda_available();
int cuda_device_count();

}  // namespace levin::core
