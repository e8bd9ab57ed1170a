#include "core/kernels/cpu_kernels.hpp"

#include <torch/library.h>

#include "core/abi/torch_compat.hpp"
#include "core/abi/torch_warnings.hpp"
#include "core/base/error.hpp"
#include "core/kernels/batch_norm/batch_norm.hpp"
#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/convolution/convolution.hpp"
#include "core/kernels/max_pool/max_pool.hpp"

namespace levin::core {
namespace {

struct Row {
  CpuKernel kernel;
  void (*add)(torch::Library&);
};
const Row rows[] = {
    {{"max_pool2d_with_indices", "float, without ceil_mode: row-major, stride up to 8; channels_last, 2x2 or 3x3"},
     &add_max_pool},
    {{"native_batch_norm, native_batch_norm_backward",
      "float, in training: row-major, with 16 or 32 numbers a channel and sample; channels_last"},
     &add_batch_norm},
    {{"convolution_backward",
      "float, row-major, 5 to 64 channels, a number of output channels that is no multiple of 16"},
     &add_convolution}};

bool are_registered = false;

// LibTorch warns of a kernel that replaces its own.
class Silent : public TorchWarningHandler {
  void warn(const std::string&) override {}
};

}  // namespace

const std::vector<CpuKernel>& cpu_kernels() {
  static const std::vector<CpuKernel> all = [] {
    std::vector<CpuKernel> out;
    for (const Row& row : rows) out.push_back(row.kernel);
    return out;
  }();
  return all;
}

void use_cpu_kernels() {
  static const bool done = [] {
    // Never destroyed: plugins may still compute while the process ends.
    auto* const library = new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
    Silent silent;
    set_warning_handler(&silent);
    for (const Row& row : rows) row.add(*library);
    set_warning_handler(nullptr);
    TorchWarnings::watch_this_thread();
    return true;
  }();
  are_registered = done;
}

bool cpu_kernels_are_used() { return are_registered && kernels_take_calls; }

void switch_cpu_kernels(bool on) {
  if (on && !are_registered)
    throw Error(ErrorKind::usage, "the kernels for the CPU cannot be switched on: the run began without them");
  kernels_take_calls = on;
}

}  // namespace levin::core
