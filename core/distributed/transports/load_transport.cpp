#include <dlfcn.h>

#include <stdexcept>

#include "core/base/file.hpp"
#include "core/distributed/transports/transport.hpp"

namespace levin::core {
namespace {

const char* needed(const std::string& name) {
  if (name == "shared_memory") return "the target levin_shared_memory";
  return name == "nccl" ? "a LibTorch with CUDA and NCCL, and its nccl.h" : "libopenmpi-dev, or another MPI";
}

}  // namespace

MakeTransport load_transport(const std::string& name) {
  const auto path = engine_library(name);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw std::runtime_error("this Levin was built without it (there is no " + path.string() +
                             "); building it requires " + needed(name));
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's plugins look it up among the global symbols
  if (!library) throw std::runtime_error(std::string("its library cannot be loaded: ") + ::dlerror());
  void* make = ::dlsym(library, make_transport_symbol);
  if (!make) throw std::runtime_error(path.string() + " is of another version of Levin");
  return reinterpret_cast<MakeTransport>(make);
}

}  // namespace levin::core
