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

// Returns the library's path: beside the engine, or where the engine is from a program in bin.
std::filesystem::path path_of(const std::string& name) {
  const std::filesystem::path folder = exe_path().parent_path();
  const std::string file = "liblevin_" + name + ".so";
  std::error_code unknown;
  const std::filesystem::path from_bin = folder.parent_path() / "libexec" / "levin" / file;
  return std::filesystem::exists(from_bin, unknown) ? from_bin : folder / file;
}

}  // namespace

MakeTransport load_transport(const std::string& name) {
  const auto path = path_of(name);
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
