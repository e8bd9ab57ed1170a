// The kernels that OpenBLAS has chosen, and the faster ones that the processor could run. For a processor newer than
// the library, OpenBLAS falls back to kernels that run on every processor.
#pragma once
#include <string>

#include "core/base/machine.hpp"

namespace levin::core {

// core: the result of openblas_get_corename(). config: the result of openblas_get_config(). Returns the value of
// OPENBLAS_CORETYPE with which OpenBLAS runs the fastest kernels that the processor can; "" if it runs them already, or
// has been built for one processor.
std::string faster_blas_core(const std::string& core, const std::string& config, const CpuFlags& flags);

// Returns one line. If the processor could run faster kernels, the line says how to get them.
std::string describe_blas_kernels(const std::string& core, const std::string& config, const CpuFlags& flags);

}  // namespace levin::core
