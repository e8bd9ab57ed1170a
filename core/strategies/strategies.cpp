#include "core/strategies/strategies.hpp"

#include "core/base/error.hpp"
#include "core/cluster/device_ids.hpp"
#include "core/strategies/cuda.hpp"
#include "core/strategies/ddp.hpp"
#include "core/strategies/single_device.hpp"
#include "core/strategies/zero1.hpp"

namespace levin::core {
namespace {

using Kind = DeviceChoice::Kind;

// The CPU, or the GPU of this process's number on its machine.
void check_processes(const RunPlan& plan, const World& world, size_t devices) {
  const bool chosen = plan.devices.kind != Kind::automatic;
  const auto wrong = [&](const std::string& option, const std::string& there) {
    throw Error(ErrorKind::usage, option + ", and " + world.launcher + " started " + there +
                                      ": say the same to both, or leave the option out");
  };
  if (chosen && static_cast<int>(devices) != world.local_size)
    wrong("trainer.devices=" + plan.devices.given, std::to_string(world.local_size) + " processes on this machine");
  if (plan.num_nodes > 1 && plan.num_nodes != world.nodes)
    wrong("trainer.num_nodes=" + std::to_string(plan.num_nodes),
          std::to_string(world.size) + " processes on " + std::to_string(world.nodes) + " machines");
}

template <class S>
std::unique_ptr<Strategy> make(const RunPlan& plan, at::Device device, Processes& processes) {
  return std::make_unique<S>(plan, device, processes);
}

struct Row {
  StrategyType type;
  std::unique_ptr<Strategy> (*make)(const RunPlan&, at::Device, Processes&);
};
const Row rows[] = {{StrategyType::single_device, &make<SingleDeviceStrategy>},
                    {StrategyType::ddp, &make<DdpStrategy>},
                    {StrategyType::zero1, &make<Zero1Strategy>}};

}  // namespace

at::Device device_of(const RunPlan& plan, const World& world) {
  const bool wanted = plan.accelerator == Accelerator::cuda || plan.accelerator == Accelerator::gpu;
  std::vector<int> gpus;
  for (int i = 0; plan.accelerator != Accelerator::cpu && i < cuda_device_count(); ++i) gpus.push_back(i);
  if (wanted && gpus.empty())
    throw Error(ErrorKind::usage, std::string("trainer.accelerator: '") + name_of(plan.accelerator) +
                                      "' was asked for, and this LibTorch finds no GPU; use cpu or auto");
  const std::vector<int> ids = device_ids(plan.accelerator, plan.devices, gpus);
  check_processes(plan, world, ids.size());
  if (gpus.empty()) return at::kCPU;
  if (plan.devices.kind != Kind::automatic)
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(ids[static_cast<size_t>(world.local_rank)]));
  if (world.local_rank >= static_cast<int>(gpus.size()))
    throw Error(ErrorKind::usage, std::to_string(world.local_size) + " processes share " + std::to_string(gpus.size()) +
                                      " GPUs of this machine: start one a GPU, or use " + "--trainer.accelerator cpu");
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(world.local_rank));
}

std::unique_ptr<Strategy> make_strategy(const RunPlan& plan, at::Device device, Processes& processes) {
  const bool several = processes.world().several();
  StrategyType type = plan.strategy;
  if (type == StrategyType::automatic) type = several ? StrategyType::ddp : StrategyType::single_device;
  if (type == StrategyType::single_device && several)
    throw Error(ErrorKind::usage, "trainer.strategy=single_device, and there are " +
                                      std::to_string(processes.world().size) + " processes; use ddp or auto");
  for (const Row& row : rows)
    if (row.type == type) return row.make(plan, device, processes);
  throw Error(ErrorKind::internal, "a strategy without a row in the table");
}

}  // namespace levin::core
