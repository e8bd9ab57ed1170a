// For which processor OpenBLAS has chosen its kernels. Of one that is newer than the library it knows nothing and takes
// kernels that every processor can run.
#pragma once
#include <string>

#include "core/base/cpu_flags.hpp"

namespace levin::core {

// core: what openblas_get_corename() returns. config: what openblas_get_config() returns. Returns one line, which says
// how to get faster kernels if the processor could run them.
std::string describe_blas_kernels(const std::string& core, const std::string& config, const CpuFlags& flags);

}  // namespace levin::core
