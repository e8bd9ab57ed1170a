#include "core/strategies/common/cuda.hpp"

#include <dlfcn.h>
#include <torch/cuda.h>

namespace levin::core {
namespace {

// Loads LibTorch's CUDA libraries. LibTorch looks for its CUDA hooks once, at the first query about CUDA, so the
// libraries must be loaded before that.
void load_cuda_part() {
  static const bool tried = [] {
    dlopen("libc10_cuda.so", RTLD_NOW | RTLD_GLOBAL);
    dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
    return true;
  }();
  (void)tried;
}

}  // namespace

bool cuda_available() {
  load_cuda_part();
  return cuda_device_count() > 0;
}

int cuda_device_count() {
  load_cuda_part();
  return static_cast<int>(torch::cuda::device_count());
}

}  // namespace levin::core
