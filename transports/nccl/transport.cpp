// LibTorch's NCCL process group. Linked with LibTorch's CUDA libraries, which the host loads before this one.
#include <dlfcn.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <cstdlib>
#include <stdexcept>

#include "core/distributed/transports/transport.hpp"

namespace {

// LibTorch's options contain a struct of NCCL whose size depends on the version: another version's header corrupts
// memory.
void check_version() {
  const auto ask = reinterpret_cast<ncclResult_t (*)(int*)>(::dlsym(RTLD_DEFAULT, "ncclGetVersion"));
  int version = 0;
  if (!ask || ask(&version) != ncclSuccess || version / 100 == NCCL_VERSION_CODE / 100) return;
  throw std::runtime_error("it was built with NCCL " + std::to_string(NCCL_VERSION_CODE) + ", and LibTorch has " +
                           std::to_string(version));
}

// The run's monitor reports lost processes. NCCL's own watchdog would end the process before that.
void leave_errors_to_the_run() {
  for (const char* name : {"TORCH_NCCL_ASYNC_ERROR_HANDLING", "NCCL_ASYNC_ERROR_HANDLING",
                           "TORCH_NCCL_ENABLE_MONITORING", "TORCH_NCCL_DUMP_ON_TIMEOUT"})
    ::setenv(name, "0", /*overwrite=*/0);
}

}  // namespace

extern "C" void levin_make_transport(const levin::core::TransportPlace& place, levin::core::Transport& out) {
  check_version();
  leave_errors_to_the_run();
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = place.timeout;
  out.group = c10::make_intrusive<c10d::ProcessGroupNCCL>(place.store, place.rank, static_cast<int>(place.ranks.size()),
                                                          options);
  out.wire = {at::kCUDA, /*adds_halves=*/true, /*adds_bfloat16=*/true};
  out.carries = [](const at::Tensor& tensor) { return tensor.is_cuda() && !tensor.is_sparse(); };
  out.text = "nccl";
}
