#include "host/engine/doctor.hpp"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "core/base/blas_kernels.hpp"
#include "core/strategies/common/cuda.hpp"

namespace levin::core {
namespace {

double gemm_gflops() {
  constexpr int64_t n = 512;
  const at::Tensor a = at::rand({n, n}), b = at::rand({n, n});
  at::mm(a, b);
  const auto start = std::chrono::steady_clock::now();
  int rounds = 0;
  double seconds = 0;
  while (seconds < 0.1) {
    at::mm(a, b);
    ++rounds;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return 2.0 * n * n * n * rounds / seconds / 1e9;
}

// Returns the result of an OpenBLAS function without arguments; "" if LibTorch uses another library.
std::string said_by_openblas(const char* function) {
  using Function = char* (*)();
  for (const char* ending : {"", "64_"})
    if (void* const found = ::dlsym(RTLD_DEFAULT, (std::string(function) + ending).c_str()))
      return reinterpret_cast<Function>(found)();
  return "";
}

}  // namespace

int print_doctor() {
  std::printf("%-12s LibTorch %s, %d intra-op threads\n", "runs with", LEVIN_TORCH_VERSION, at::get_num_threads());
  const double speed = gemm_gflops();
  std::printf("%-12s %.0f GFLOP/s in a 512x512 matrix product%s\n", "BLAS", speed,
              speed < 20 ? "; that is slow: Debian's reference BLAS? apt-get install libopenblas0-openmp" : "");
  if (const std::string core = said_by_openblas("openblas_get_corename"); !core.empty())
    std::printf("%-12s %s\n", "",
                describe_blas_kernels(core, said_by_openblas("openblas_get_config"), cpu_flags()).c_str());
  if (cuda_available())
    std::printf("%-12s cpu, cuda (%d)\n", "devices", cuda_device_count());
  else
    std::printf("%-12s cpu; no GPU that this LibTorch can use\n", "devices");
  return 0;
}

}  // namespace levin::core
