#include "core/strategies/strategy.hpp"

#include <dlfcn.h>
#include <torch/cuda.h>

#include "core/base/error.hpp"
#include "core/strategies/device_ids.hpp"

namespace levin::core {
namespace {

class SingleDeviceStrategy : public Strategy {
 public:
  explicit SingleDeviceStrategy(at::Device device) : device_(device) {}
  const char* name() const override { return "single_device"; }
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

// LibTorch looks for its CUDA hooks only once, when it is first asked about CUDA, so its CUDA library has to be loaded
// before that.
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

std::unique_ptr<Strategy> make_strategy(Accelerator accelerator, const DeviceChoice& devices) {
  const bool wanted = accelerator == Accelerator::cuda || accelerator == Accelerator::gpu;
  std::vector<int> gpus;
  for (int i = 0; accelerator != Accelerator::cpu && i < cuda_device_count(); ++i) gpus.push_back(i);
  if (wanted && gpus.empty())
    throw Error(ErrorKind::usage, std::string("trainer.accelerator: '") + name_of(accelerator) +
                                      "' was asked for, and this LibTorch finds no GPU; use cpu or auto");
  const std::vector<int> ids = device_ids(accelerator, devices, gpus);
  if (ids.size() > 1)
    throw Error(ErrorKind::usage, "trainer.devices=" + devices.given + ": this version trains on one device");
  if (gpus.empty()) return std::make_unique<SingleDeviceStrategy>(at::kCPU);
  return std::make_unique<SingleDeviceStrategy>(at::Device(at::kCUDA, static_cast<at::DeviceIndex>(ids.front())));
}

}  // namespace levin::core
