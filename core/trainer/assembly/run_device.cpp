#include "core/trainer/assembly/run_device.hpp"

#include <ATen/Context.h>
#include <torch/utils.h>

#include <utility>

#include "core/abi/torch_compat.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/kernels/cpu_kernels.hpp"
#include "core/strategies/strategies.hpp"

namespace levin::core {

RunDevice::RunDevice(RunSettings& settings, Processes& processes, const Warn& warn) {
  RunPlan& plan = settings.plan;
  const std::vector<at::Device> devices = devices_of(plan, processes.world());
  const std::string slower = processes.choose_backend(plan.processes.process_group_backend, devices.front().type());
  if (!slower.empty()) warn(slower);
  strategy = make_strategy(plan, devices, processes);
  const PrecisionType given =
      std::exchange(plan.numerics.precision, precision_on(plan.numerics.precision, strategy->device()));
  if (plan.numerics.precision != given)
    warn(std::string("trainer.precision=") + name_of(given) + " needs a GPU: on a CPU it is " +
         name_of(plan.numerics.precision));
  const std::string slow = slower_than_32_true(plan.numerics.precision, strategy->device(), cpu_flags());
  if (!slow.empty()) warn(slow);
  precision = make_precision(plan.numerics.precision, strategy->device());
  if (strategy->device().is_cpu() && plan.machine.cpu_kernels == CpuKernels::automatic) use_cpu_kernels();
  at::globalContext().setBenchmarkCuDNN(plan.numerics.benchmark);
  if (plan.numerics.deterministic) set_deterministic(true, plan.numerics.deterministic_warn);
  torch::manual_seed(settings.seed);
  announce_seed(settings.seed);
}

}  // namespace levin::core
