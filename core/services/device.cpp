// "levin.devices/1": the devices of the run and their memory.
#include <ATen/detail/CUDAHooksInterface.h>

#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/services/device_memory.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

at::Device device_of_run(levin_run* run) { return device_of_instance(parts_of(run, &levin_run::device).device); }

levin_devices make_device_table() {
  levin_devices t{};
  t.size = sizeof t;
  t.current = [](levin_run* run, levin_device* out) { return serve([&] { *out = device_of(device_of_run(run)); }); };
  t.memory = [](levin_run* run, uint64_t* used, uint64_t* total) {
    return serve([&]() -> levin_status {
      const at::Device device = device_of_run(run);
      const auto memory = device_memory(device);
      if (!memory) return failed_service("the memory of " + device.str() + " is not known", LEVIN_E_UNSUPPORTED);
      *used = memory->used, *total = memory->total;
      return LEVIN_OK;
    });
  };
  t.synchronize = [](levin_run* run) {
    return serve([&] {
      const at::Device device = device_of_run(run);
      if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
    });
  };
  t.all = [](levin_run* run, levin_device* out, uint32_t cap, uint32_t* n) {
    return serve([&] {
      const std::vector<at::Device>& devices = parts_of(run, &levin_run::device).all;
      *n = static_cast<uint32_t>(devices.size());
      for (uint32_t i = 0; i < *n && i < cap; ++i) out[i] = device_of(devices[i]);
    });
  };
  t.to = [](const levin_host*, levin_tensor* tensor, levin_device device, levin_tensor** out) {
    return serve([&] {
      if (BorderWatch* watch = border_watch()) watch->on_training_thread("levin.devices/1 to");
      *out = release(retain(tensor).to(device_of(device)));
    });
  };
  return t;
}

}  // namespace

const levin_devices* devices_service() {
  static const levin_devices table = make_device_table();
  return &table;
}

}  // namespace levin::core
