#include "core/strategies/strategy.hpp"

#include <dlfcn.h>
#include <torch/cuda.h>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

class SingleDeviceStrategy : public Strategy {
 public:
  explicit SingleDeviceStrategy(at::Device device) : device_(device) {}
  at::Device device() const override { return device_; }
  at::Tensor to_device(const at::Tensor& tensor) const override {
    return tensor.device() == device_ ? tensor : tensor.to(device_, /*non_blocking=*/true);
  }
  void backward(const at::Tensor& loss, bool retain_graph) const override {
    loss.backward({}, retain_graph ? c10::optional<bool>(true) : c10::nullopt);
  }

 private:
  at::Device device_;
};

// LibTorch looks for its CUDA hooks once, at the first question about CUDA, so the library has to be there before.
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

std::unique_ptr<Strategy> make_strategy(const std::string& accelerator) {
  if (accelerator == "cpu") return std::make_unique<SingleDeviceStrategy>(at::kCPU);
  const bool wanted = accelerator == "cuda" || accelerator == "gpu";
  if (!wanted && accelerator != "auto")
    throw Error(ErrorKind::usage, "trainer.accelerator: '" + accelerator + "' is unknown; valid: auto, cpu, cuda, gpu");
  if (cuda_available()) return std::make_unique<SingleDeviceStrategy>(at::Device(at::kCUDA, 0));
  if (wanted)
    throw Error(ErrorKind::usage, "trainer.accelerator: '" + accelerator +
                                      "' was asked for, and this LibTorch finds no GPU; use cpu or auto");
  return std::make_unique<SingleDeviceStrategy>(at::kCPU);
}

}  // namespace levin::core
