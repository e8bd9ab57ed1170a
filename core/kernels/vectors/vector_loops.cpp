#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {

const VectorLoops* vector_loops() {
#ifdef __x86_64__
  static const VectorLoops* const widest = [] {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return avx2 && avx512 ? avx512_loops() : avx2 ? avx2_loops() : nullptr;
  }();
  return widest;
#else
  return nullptr;
#endif
}

}  // namespace levin::core
