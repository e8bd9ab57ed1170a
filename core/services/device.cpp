// "levin.devices/1": the devices of the run and their memory.
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/DeviceGuard.h>
#include <dlfcn.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

// Reads lines such as "MemTotal:       16303428 kB". Memory that is available without swapping counts as free.
std::optional<DeviceMemory> machine_memory() {
  std::ifstream file("/proc/meminfo");
  uint64_t total = 0, available = 0, kilobytes = 0;
  std::string name;
  for (std::string line; file >> name >> kilobytes && std::getline(file, line);) {
    if (name == "MemTotal:") total = kilobytes * 1024;
    if (name == "MemAvailable:") available = kilobytes * 1024;
  }
  if (available == 0 || available > total) return std::nullopt;
  return DeviceMemory{total - available, total};
}

// Uses the globally loaded CUDA runtime, because LibTorch's own function is in a library that is not linked.
std::optional<DeviceMemory> cuda_memory(c10::Device device) {
  using MemGetInfo = int (*)(size_t * free, size_t * total);
  const auto ask = reinterpret_cast<MemGetInfo>(dlsym(RTLD_DEFAULT, "cudaMemGetInfo"));
  if (!ask) return std::nullopt;
  const c10::DeviceGuard guard(device);
  size_t free = 0, total = 0;
  if (ask(&free, &total) != 0) return std::nullopt;
  return DeviceMemory{total - free, total};
}

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

std::optional<DeviceMemory> device_memory(c10::Device device) {
  if (device.is_cpu()) return machine_memory();
  if (device.is_cuda()) return cuda_memory(device);
  return std::nullopt;
}

const levin_devices* devices_service() {
  static const levin_devices table = make_device_table();
  return &table;
}

}  // namespace levin::core
