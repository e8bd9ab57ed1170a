// Simulates an OpenBLAS that mistakes the processor for an older one and runs slow kernels. LEVIN_TEST_BLAS selects how
// its other kernels are broken: "wrong", "crash" or "slow".
#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace {
bool breaks(const char* how) {
  const char* const wanted = std::getenv("LEVIN_TEST_BLAS");
  return wanted && std::strcmp(wanted, how) == 0 && std::getenv("OPENBLAS_CORETYPE");
}
}  // namespace

extern "C" {
const char* openblas_get_corename() {
  const char* const wanted = std::getenv("OPENBLAS_CORETYPE");
  if (!wanted) return "Prescott";
  return std::strcmp(wanted, "HASWELL") == 0 ? "Haswell" : "SkylakeX";
}
const char* openblas_get_config() { return "OpenBLAS 0.0.0 DYNAMIC_ARCH Prescott"; }

void sgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc) {
  using Product = decltype(&sgemm_);
  static const auto real = reinterpret_cast<Product>(dlsym(RTLD_NEXT, "sgemm_"));
  if (breaks("crash")) std::raise(SIGILL);
  if (*m > 200 && !std::getenv("OPENBLAS_CORETYPE")) usleep(30000);  // the timed matrix product
  if (*m > 200 && breaks("slow")) usleep(60000);
  real(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (breaks("wrong")) c[0] += 1;
}
}
