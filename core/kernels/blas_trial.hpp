// Tries the kernels of OpenBLAS that this process runs.
#pragma once
#include <string>

namespace levin::core {

// Returns the result of an OpenBLAS function without arguments; "" if LibTorch uses another library.
std::string said_by_openblas(const char* function);
// Returns the file of the OpenBLAS in this process; "" if there is none.
std::string openblas_library();

// Multiplies matrices of odd sizes and with infinities and NaN, and compares with plain loops. Returns what was wrong;
// "" = nothing.
std::string wrong_blas_product();
// Returns the rate of a 512x512 float product, in GFLOP/s.
double blas_gflops();

}  // namespace levin::core
