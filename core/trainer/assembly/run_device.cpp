#include "core/trainer/assembly/run_device.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/utils.h>

#include <cstdio>
#include <utility>

#include "core/abi/torch_compat.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/kernels/cpu_kernels.hpp"
#include "core/precision/precision_cost.hpp"
#include "core/strategies/strategies.hpp"

namespace levin::core {
namespace {

bool is_bf16(PrecisionType type) { return type == PrecisionType::mixed_bf16 || type == PrecisionType::true_bf16; }

void tell_cost(PrecisionType bf16, Console& console) {
  constexpr double noise = 1.05;
  const double cost = measured_cost(bf16);
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", cost);
  const std::string line =
      std::string("trainer.precision=") + name_of(bf16) + ": a step of a small network takes " + text +
      " times the processor time of 32-true (measured, intra-op threads: " + std::to_string(at::get_num_threads()) +
      ")";
  if (cost > noise)
    console.warn(line);
  else
    console.info(line);
}

}  // namespace

RunDevice::RunDevice(RunSettings& settings, Processes& processes, Console& console) {
  RunPlan& plan = settings.plan;
  const std::vector<at::Device> devices = devices_of(plan, processes.world());
  const std::string slower = processes.choose_backend(plan.processes.process_group_backend, devices.front().type());
  if (!slower.empty()) console.warn(slower);
  strategy = make_strategy(plan, devices, processes);
  const PrecisionType given =
      std::exchange(plan.numerics.precision, precision_on(plan.numerics.precision, strategy->device()));
  if (plan.numerics.precision != given)
    console.warn(std::string("trainer.precision=") + name_of(given) + " needs a GPU: on a CPU it is " +
                 name_of(plan.numerics.precision));
  if (strategy->device().is_cpu() && is_bf16(plan.numerics.precision) && processes.world().is_first())
    tell_cost(plan.numerics.precision, console);
  precision = make_precision(plan.numerics.precision, strategy->device());
  if (strategy->device().is_cpu() && plan.machine.cpu_kernels == CpuKernels::automatic) use_cpu_kernels();
  at::globalContext().setBenchmarkCuDNN(plan.numerics.benchmark);
  if (plan.numerics.float32_matmul_precision)
    at::globalContext().setFloat32MatmulPrecision(std::string(name_of(*plan.numerics.float32_matmul_precision)));
  if (plan.numerics.deterministic) set_deterministic(true, plan.numerics.deterministic_warn);
  torch::manual_seed(settings.seed);
  announce_seed(settings.seed);
}

}  // namespace levin::core
