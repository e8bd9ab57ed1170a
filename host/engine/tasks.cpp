#include "host/engine/tasks.hpp"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/machine.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/kernels/blas/blas_kernels.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "core/kernels/blas_trial.hpp"
#include "core/kernels/cpu_kernels.hpp"
#include "core/strategies/common/cuda.hpp"
#include "inference/torchscript.hpp"

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

constexpr size_t room = size_t{64} << 20;

// Large enough that every thread takes part and allocates its buffer.
void multiply() {
  const at::Tensor ones = at::full({256, 256}, 1.0f);
  if (at::mm(ones, ones)[0][0].item<float>() != 256)
    throw Error(ErrorCode::internal_error, "LibTorch multiplies wrongly");
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

int print_doctor_json(nlohmann::json facts) {
  facts["runs_with"] = {{"libtorch", LEVIN_TORCH_VERSION}, {"threads", at::get_num_threads()}};
  facts["blas"] = {{"gflops", std::round(blas_gflops())}};
  if (!openblas_library().empty()) facts["blas"]["kernels"] = describe_choice();
  facts["kernels"] = nlohmann::json::array();
  for (const CpuKernel& kernel : cpu_kernels())
    facts["kernels"].push_back({{"operators", kernel.operators}, {"takes", kernel.takes}});
  facts["devices"] = {{"cuda", cuda_available() ? cuda_device_count() : 0}};
  std::printf("%s\n", facts.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  return 0;
}

int export_torchscript(const nlohmann::json& request) {
  const std::string checkpoint = request.at("checkpoint"), output = request.at("output");
  const auto warn = [](const std::string& line) { print_message("warning", line); };
  LoadedModel model({checkpoint, request.at("plugin"), request.at("trust")}, warn);
  const std::string note = write_torchscript(model, output);
  if (!note.empty()) warn(note);
  const std::string line = output + ": model " + model.model().schema().id + " as TorchScript, of " + checkpoint;
  std::printf("%s\n", printable(line).c_str());
  return 0;
}

void warm_up_blas() {
  const at::Tensor more = at::full({static_cast<int64_t>(room)}, 1, at::kByte);
  multiply();
}

void multiply_under_limit() {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) multiply();
}

}  // namespace levin::core
