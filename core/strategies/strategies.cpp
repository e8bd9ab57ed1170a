#include "core/strategies/strategies.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/cluster/device_ids.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/strategies/common/checked_strategy.hpp"
#include "core/strategies/common/cuda.hpp"
#include "core/strategies/ddp/ddp.hpp"
#include "core/strategies/dp/dp.hpp"
#include "core/strategies/model_parallel/model_parallel.hpp"
#include "core/strategies/single_device/single_device.hpp"
#include "core/strategies/zero1/zero1.hpp"

namespace levin::core {
namespace {

using Kind = DeviceChoice::Kind;
using Devices = std::vector<at::Device>;

[[noreturn]] void differs(const std::string& option, const World& world, const std::string& there) {
  if (world.size == 1)
    throw Error(ErrorCode::options_conflict, option + ", and the program runs as one process: start it by torchrun, " +
                                                 "mpirun or srun, or leave the option out");
  throw Error(ErrorCode::options_conflict, option + ", and " + world.launcher + " started " + there +
                                               "; give both the same number, or leave the option out");
}

void check_nodes(const RunPlan& plan, const World& world) {
  if (plan.machine.num_nodes > 1 && plan.machine.num_nodes != world.nodes)
    differs("trainer.num_nodes=" + std::to_string(plan.machine.num_nodes), world,
            std::to_string(world.size) + " processes on " + std::to_string(world.nodes) + " machines");
}

// The input for choosing this process's devices. ids(): the chosen devices of the machine; gpus: all of its GPUs.
struct Choice {
  const RunPlan& plan;
  const World& world;
  const std::vector<int>& gpus;
  bool automatic() const { return plan.machine.devices.kind == Kind::automatic; }
  std::vector<int> ids() const { return device_ids(plan.machine.accelerator, plan.machine.devices, gpus); }
  std::string option() const { return "trainer.devices=" + plan.machine.devices.given; }
  std::string processes() const { return std::to_string(world.local_size) + " processes on this machine"; }
};

[[noreturn]] void too_few_gpus(const Choice& of, int64_t each) {
  const std::string all = std::to_string(of.gpus.size()) + " GPUs of this machine";
  throw Error(ErrorCode::device_not_available,
              std::to_string(of.world.local_size) + " processes share " + all + ": start one process " +
                  (each == 1 ? "per GPU" : "for each " + std::to_string(each) + " GPUs") +
                  ", or use --trainer.accelerator cpu");
}

// Returns the CPU, or the chosen GPU at the position of the local rank.
std::vector<int> one_device(const Choice& of) {
  const std::vector<int> ids = of.ids();
  if (!of.automatic() && static_cast<int>(ids.size()) != of.world.local_size)
    differs(of.option(), of.world, of.processes());
  if (!of.automatic()) return {ids[static_cast<size_t>(of.world.local_rank)]};
  if (!of.gpus.empty() && of.world.local_rank >= static_cast<int>(of.gpus.size())) too_few_gpus(of, 1);
  return {of.world.local_rank};
}

std::vector<int> all_devices(const Choice& of) { return of.ids(); }

// Returns this process's consecutive share of the machine's devices: local rank 0 has the first ones.
std::vector<int> some_devices(const Choice& of) {
  const auto processes = static_cast<int64_t>(of.world.local_size);
  std::vector<int> ids = of.automatic() ? of.gpus : of.ids();
  const auto all = static_cast<int64_t>(ids.size());
  const bool on_cpu = of.automatic() && ids.empty();
  const int64_t each = of.plan.machine.devices_per_process.value_or(on_cpu ? 1 : std::max<int64_t>(all / processes, 1));
  if (on_cpu) return std::vector<int>(static_cast<size_t>(each));
  if (of.automatic() && all < each * processes) too_few_gpus(of, each);
  if (!of.automatic() && all != each * processes)
    differs(of.option() + " with " + std::to_string(each) + " for each process", of.world, of.processes());
  const auto first = ids.begin() + each * of.world.local_rank;
  return {first, first + each};
}

template <class S>
std::unique_ptr<Strategy> make(const RunPlan& plan, const Devices& devices, Processes& processes) {
  return std::make_unique<S>(plan, devices.front(), processes);
}
template <class S>
std::unique_ptr<Strategy> make_of_all(const RunPlan& plan, const Devices& devices, Processes& processes) {
  return std::make_unique<S>(plan, devices, processes);
}

struct Row {
  StrategyType type;
  std::vector<int> (*devices)(const Choice&);  // devices of a process
  std::unique_ptr<Strategy> (*make)(const RunPlan&, const Devices&, Processes&);
};
const Row strategy_rows[] = {{StrategyType::single_device, &one_device, &make<SingleDeviceStrategy>},
                             {StrategyType::ddp, &one_device, &make<DdpStrategy>},
                             {StrategyType::zero1, &one_device, &make<Zero1Strategy>},
                             {StrategyType::dp, &all_devices, &make_of_all<DpStrategy>},
                             {StrategyType::model_parallel, &some_devices, &make_of_all<ModelParallelStrategy>}};

const Row& row_of(const RunPlan& plan, const World& world) {
  StrategyType type = plan.machine.strategy;
  if (type == StrategyType::automatic) type = world.several() ? StrategyType::ddp : StrategyType::single_device;
  for (const Row& row : strategy_rows)
    if (row.type == type) return row;
  throw Error(ErrorCode::internal_error, "a strategy without a row in the table");
}

}  // namespace

Devices devices_of(const RunPlan& plan, const World& world) {
  const bool wanted = plan.machine.accelerator == Accelerator::cuda || plan.machine.accelerator == Accelerator::gpu;
  std::vector<int> gpus;
  for (int i = 0; plan.machine.accelerator != Accelerator::cpu && i < cuda_device_count(); ++i) gpus.push_back(i);
  if (wanted && gpus.empty())
    throw Error(ErrorCode::device_not_available, std::string("trainer.accelerator=") +
                                                     name_of(plan.machine.accelerator) +
                                                     ": LibTorch finds no GPU; use cpu or auto");
  check_nodes(plan, world);
  Devices out;
  for (const int id : row_of(plan, world).devices({plan, world, gpus}))
    out.push_back(gpus.empty() ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<at::DeviceIndex>(id)));
  return out;
}

std::unique_ptr<Strategy> make_strategy(const RunPlan& plan, const Devices& devices, Processes& processes) {
  const World& world = processes.world();
  if (facts_of(plan.machine.strategy).process == StrategyFacts::Process::of_run && world.several())
    refuse_several_processes(name_of(plan.machine.strategy), "there are " + std::to_string(world.size) + " processes");
  std::unique_ptr<Strategy> strategy = row_of(plan, world).make(plan, devices, processes);
#ifdef LEVIN_CHECKED
  strategy = std::make_unique<CheckedStrategy>(std::move(strategy));
#endif
  return strategy;
}

}  // namespace levin::core
