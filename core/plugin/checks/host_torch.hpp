// The LibTorch that this host's engine was built for and runs with. Available in processes without LibTorch too.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct HostTorch {
  std::string version;                 // "1.13"; "" = unknown, and nothing is compared
  std::string cxx11_abi;               // "1"
  std::string stdlib;                  // "libstdc++" or "libc++"
  std::vector<std::string> libraries;  // SONAMEs that a plugin may need: "libtorch_cpu.so.1.13", "libc10.so.1.13"
  std::string openmp;                  // "libgomp", "libomp" or "libiomp5"; "" = unknown
};

HostTorch host_torch();

}  // namespace levin::core
