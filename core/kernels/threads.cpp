#include "core/kernels/threads.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>

namespace levin::core {

void set_compute_threads(int threads) {
  at::set_num_threads(threads);
  // An OpenBLAS with threads of its own does not ask OpenMP.
  for (const char* name : {"openblas_set_num_threads", "openblas_set_num_threads64_"})
    if (void* const found = ::dlsym(RTLD_DEFAULT, name)) reinterpret_cast<void (*)(int)>(found)(threads);
}

}  // namespace levin::core
