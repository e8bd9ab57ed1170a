// The GPUs that this LibTorch can use.
#pragma once

namespace levin::core {

// Whether this LibTorch can use a GPU on this machine. The first call loads LibTorch's CUDA part if there is one.
bool cuda_available();
int cuda_device_count();

}  // namespace levin::core
