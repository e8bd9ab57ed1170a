#include "core/plugin/checks/host_torch.hpp"

#include "core/base/text.hpp"

namespace levin::core {

// The values come from the build (core/plugin/checks/CMakeLists.txt), so that the thin host has them without loading
// LibTorch.
HostTorch host_torch() {
  HostTorch torch;
  torch.version = LEVIN_TORCH_VERSION;
  torch.openmp = LEVIN_TORCH_OPENMP;
#if defined(_LIBCPP_VERSION)
  torch.stdlib = "libc++";
#else
  torch.stdlib = "libstdc++";
  torch.cxx11_abi = std::to_string(_GLIBCXX_USE_CXX11_ABI);  // the build refuses a LibTorch with another ABI
#endif
  for (const auto& library : split(LEVIN_TORCH_SONAMES, ' '))
    if (!library.empty()) torch.libraries.push_back(library);
  return torch;
}

}  // namespace levin::core
