#include "core/kernels/cpu_kernels.hpp"

#include <ATen/Context.h>
#include <torch/library.h>

#include "core/abi/torch_compat.hpp"
#include "core/abi/torch_warnings.hpp"
#include "core/base/error.hpp"
#include "core/kernels/batch_norm/batch_norm.hpp"
#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/convolution/convolution.hpp"
#include "core/kernels/lstm/lstm.hpp"
#include "core/kernels/max_pool/max_pool.hpp"
#include "core/kernels/mse_loss/mse_loss.hpp"
#include "core/kernels/product/product.hpp"
#include "core/kernels/transpose/transpose.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using Key = c10::DispatchKey;

bool anywhere() { return true; }
bool with_vectors() { return vector_loops() != nullptr; }
bool with_slow_products() { return with_vectors() && !at::hasMKL(); }

struct Row {
  CpuKernel kernel;
  void (*add)(torch::Library&);
  bool (*runs_here)() = anywhere;
  std::vector<Key> keys = {Key::CPU};
};
const Row kernels[] = {
    {{"max_pool2d_with_indices", "float, without ceil_mode: row-major, stride up to 8; channels_last, 2x2 or 3x3"},
     &add_max_pool},
    {{"native_batch_norm, native_batch_norm_backward",
      "float, in training: row-major, with 16 or 32 numbers a channel and sample; channels_last"},
     &add_batch_norm},
    {{"convolution, convolution_backward",
      "float: 3x3 with stride 1 and 16 to 512 channels; backward, row-major, of 5 to 64 channels to a number that is "
      "no "
      "multiple of 16"},
     &add_convolution},
    {{"lstm", "float, up to 512 wide, with biases, without projections; not for packed sequences"},
     &add_lstm,
     with_vectors,
     {Key::CPU, Key::AutogradCPU}},
    {{"mse_loss, mse_loss_backward", "float, row-major, up to 2048 numbers"}, &add_mse_loss},
    {{"mm, addmm, bmm", "float, a size up to 64, at most 512 deep"}, &add_product, with_slow_products},
    {{"t", "float, two dimensions"}, &add_transpose}};

bool are_registered = false;

// LibTorch warns of a kernel that replaces its own.
class Silent : public TorchWarningHandler {
  void warn(const std::string&) override {}
};

}  // namespace

const std::vector<CpuKernel>& cpu_kernels() {
  static const std::vector<CpuKernel> all = [] {
    std::vector<CpuKernel> out;
    for (const Row& row : kernels)
      if (row.runs_here()) out.push_back(row.kernel);
    return out;
  }();
  return all;
}

void use_cpu_kernels() {
  static const bool done = [] {
    Silent silent;
    set_warning_handler(&silent);
    for (const Row& row : kernels) {
      if (!row.runs_here()) continue;
      for (const Key key : row.keys)
        // Never destroyed: plugins may still compute while the process ends.
        row.add(*new torch::Library(torch::Library::IMPL, "aten", key, __FILE__, __LINE__));
    }
    set_warning_handler(nullptr);
    TorchWarnings::watch_this_thread();
    return true;
  }();
  are_registered = done;
}

bool cpu_kernels_are_used() { return are_registered && kernels_take_calls; }

void switch_cpu_kernels(bool on) {
  if (on && !are_registered)
    throw Error(ErrorCode::option_unsupported,
                "the kernels for the CPU cannot be switched on: the run began without them");
  kernels_take_calls = on;
}

}  // namespace levin::core
