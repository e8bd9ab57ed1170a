// Kernels for the CPU in place of slow ones of LibTorch, behind the names of LibTorch's operators: plugins get them
// unchanged, and a call that a kernel does not take goes to LibTorch's own.
#pragma once
#include <vector>

namespace levin::core {

struct CpuKernel {
  const char* operators;  // without "aten::"
  const char* takes;      // which calls
};
const std::vector<CpuKernel>& cpu_kernels();

// Registers all of them, for the rest of the process. Call it before threads compute. Further calls change nothing.
void use_cpu_kernels();
bool cpu_kernels_are_used();

// Leaves all calls to LibTorch, or takes them again. Throws Error{usage} for `on` without use_cpu_kernels(). A step has
// to be forward and backward with one setting.
void switch_cpu_kernels(bool on);

}  // namespace levin::core
