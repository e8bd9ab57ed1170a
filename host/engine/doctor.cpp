#include "host/engine/tasks.hpp"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/cpu_flags.hpp"
#include "core/base/file.hpp"
#include "core/kernels/blas/blas_kernels.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "core/kernels/blas_trial.hpp"
#include "core/kernels/cpu_kernels.hpp"
#include "core/strategies/common/cuda.hpp"

namespace levin::core {
namespace {

// Returns what the processor does with the kernels that runs use, and why they use them.
std::string describe_choice() {
  const std::string core = said_by_openblas("openblas_get_corename");
  const std::string said = describe_blas_kernels(core, said_by_openblas("openblas_get_config"), cpu_flags());
  const auto verdict = read_blas_verdict(exe_path().string());
  if (!verdict || verdict->library != openblas_library()) return said;
  char rates[200];
  std::snprintf(rates, sizeof rates, "%.0f and %.0f GFLOP/s in one thread", verdict->gflops, verdict->own_gflops);
  if (!verdict->problem.empty())
    return said + "; but on this processor these " + verdict->problem + ", so that runs do not use them";
  if (std::getenv(chosen_core_variable))
    return said + ", which the host has chosen and verified; OpenBLAS itself would take " + verdict->own_core + " (" +
           rates + ")";
  return said;
}

}  // namespace

int print_doctor() {
  std::printf("%-12s LibTorch %s, %d intra-op threads\n", "runs with", LEVIN_TORCH_VERSION, at::get_num_threads());
  const double speed = blas_gflops();
  std::printf("%-12s %.0f GFLOP/s in a 512x512 matrix product%s\n", "BLAS", speed,
              speed < 20 ? "; that is slow: Debian's reference BLAS? apt-get install libopenblas0-openmp" : "");
  if (!openblas_library().empty()) std::printf("%-12s %s\n", "", describe_choice().c_str());
  for (const CpuKernel& kernel : cpu_kernels())
    std::printf("%-12s %s: %s\n", &kernel == &cpu_kernels().front() ? "kernels" : "", kernel.operators, kernel.takes);
  if (cuda_available())
    std::printf("%-12s cpu, cuda (%d)\n", "devices", cuda_device_count());
  else
    std::printf("%-12s cpu; no GPU that this LibTorch can use\n", "devices");
  return 0;
}

}  // namespace levin::core
