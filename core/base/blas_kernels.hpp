// Describes the processor for which OpenBLAS has chosen its kernels. For a processor newer than the library, OpenBLAS
// falls back to kernels that run on every processor.
#pragma once
#include <string>

#include "core/base/cpu_flags.hpp"

namespace levin::core {

// core: the result of openblas_get_corename(). config: the result of openblas_get_config(). Returns one line. If the
// processor could run faster kernels, the line says how to get them.
std::string describe_blas_kernels(const std::string& core, const std::string& config, const CpuFlags& flags);

}  // namespace levin::core
