#include "core/capture/device_graph.hpp"

#include <dlfcn.h>

#include "core/base/error.hpp"
#include "core/base/file.hpp"

namespace levin::core {
namespace {

constexpr const char* library = "cuda_graph";

std::filesystem::path library_path() { return engine_library(library); }

}  // namespace

std::string why_no_device_graph(c10::Device device) {
  if (!device.is_cuda())
    return "it records CUDA graphs, and the run computes on the CPU; use --trainer.accelerator gpu";
  std::error_code unknown;
  if (std::filesystem::exists(library_path(), unknown)) return "";
  return "this Levin was built without it (there is no " + library_path().string() +
         "); building it requires a LibTorch with CUDA and the CUDA toolkit of its version";
}

std::unique_ptr<DeviceGraph> make_device_graph(c10::Device device) {
  const std::string why = why_no_device_graph(device);
  if (!why.empty()) throw Error(ErrorCode::capture_not_possible, "trainer.capture: " + why);
  void* loaded = ::dlopen(library_path().c_str(), RTLD_NOW);
  if (!loaded)
    throw Error(ErrorCode::capture_not_possible,
                std::string("trainer.capture: its library cannot be loaded: ") + ::dlerror());
  void* make = ::dlsym(loaded, make_device_graph_symbol);
  if (!make) throw Error(ErrorCode::capture_not_possible, library_path().string() + " is of another version of Levin");
  return std::unique_ptr<DeviceGraph>(reinterpret_cast<MakeDeviceGraph>(make)(device));
}

}  // namespace levin::core
