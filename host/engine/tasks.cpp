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
#include <vector>

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
#include "sdk/include/levin/util/terminal.hpp"

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

// Prints text beside a name of at most 12 characters, in a column as wide as the terminal has room for.
void print_beside(std::string name, const std::string& text) {
  name.resize(13, ' ');
  std::vector<std::string> words = split(text, ' ');
  words.front().insert(0, name);
  std::printf("%s\n", wrapped(words, terminal_columns(), name.size()).c_str());
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
  print_beside("runs with", std::string("LibTorch ") + LEVIN_TORCH_VERSION + ", " +
                                std::to_string(at::get_num_threads()) + " intra-op threads");
  const double speed = blas_gflops();
  const bool is_slow = speed < 20;
  print_beside("BLAS",
               std::to_string(std::lround(speed)) + " GFLOP/s in a 512x512 matrix product" +
                   (is_slow ? "; that is slow: Debian's reference BLAS? apt-get install libopenblas0-openmp" : ""));
  if (!openblas_library().empty()) print_beside("", describe_choice());
  for (const CpuKernel& kernel : cpu_kernels())
    print_beside(&kernel == &cpu_kernels().front() ? "kernels" : "",
                 std::string(kernel.operators) + ": " + kernel.takes);
  print_beside("devices", cuda_available() ? "cpu, cuda (" + std::to_string(cuda_device_count()) + ")"
                                           : "cpu; no GPU that this LibTorch can use");
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
