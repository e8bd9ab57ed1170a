#include "launch/world_plan.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/machine.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "launch/nodes/host_list.hpp"
#include "launch/ranks/engine_environment.hpp"

namespace levin::core {
namespace {

using Kind = DeviceChoice::Kind;

constexpr int most_on_a_cpu = 16, least_refused = 64;  // processes

bool is_loopback(const std::string& name) { return name == "localhost" || name == "127.0.0.1" || name == "::1"; }

bool is_this_machine(const std::string& name) {
  const std::string own = host_name();
  return is_loopback(name) || name == own || name == own.substr(0, own.find('.'));
}

std::string address_of(const std::string& name) {
  const std::string host = name.substr(name.find('@') == std::string::npos ? 0 : name.find('@') + 1);
  return starts_with(host, "[") ? host.substr(1, host.size() - 2) : host;
}

int devices_on_each(const RunPlan& plan, int (*count_gpus)()) {
  const DeviceChoice& devices = plan.machine.devices;
  if (devices.kind == Kind::all) return std::max(1, count_gpus());
  if (devices.kind == Kind::listed) return std::max(1, static_cast<int>(devices.ids.size()));
  return devices.kind == Kind::count ? std::max(1, devices.count) : 1;
}

// Returns the number of ranks of a machine, with its devices divided evenly among them.
int ranks_with(int64_t devices_each, int devices, const std::string& given) {
  if (devices % devices_each == 0) return static_cast<int>(devices / devices_each);
  throw Error(ErrorCode::option_value_invalid,
              "trainer.devices=" + given + " cannot be divided among processes with trainer.devices_per_process=" +
                  std::to_string(devices_each) + " each");
}

// Returns the number of ranks on each machine. Some strategies use several devices in one process.
int ranks_on_each(const nlohmann::json& trainer, int (*count_gpus)()) {
  const RunPlan plan = make_run_plan(trainer);
  const bool groups = facts_of(plan.machine.strategy).process == StrategyFacts::Process::of_group;
  if (facts_of(plan.machine.strategy).process == StrategyFacts::Process::of_run) return 1;
  if (groups && (!plan.machine.devices_per_process || plan.machine.devices.kind == Kind::automatic)) return 1;
  const int devices = devices_on_each(plan, count_gpus);
  return groups ? ranks_with(*plan.machine.devices_per_process, devices, plan.machine.devices.given) : devices;
}

std::vector<HostEntry> named_hosts(const LaunchArguments& words) {
  if (!words.hosts.empty() && !words.hostfile.empty())
    throw Error(ErrorCode::options_conflict,
                "--hosts and --hostfile both name the machines of the run; leave one of them out");
  if (!words.hosts.empty()) return hosts_from_list(words.hosts);
  if (!words.hostfile.empty()) return hosts_from_file(words.hostfile);
  return {};
}

// Sets the devices and the devices per process from the number of processes on a host.
void apply_devices(nlohmann::json& trainer, int slots) {
  auto& devices = trainer["devices"];
  auto& each = trainer["devices_per_process"];
  if (facts_of(trainer.value("strategy", "")).process != StrategyFacts::Process::of_group) {
    if (devices == "auto") devices = slots;
    return;
  }
  if (each.is_null() && devices == "auto")
    throw Error(ErrorCode::option_missing,
                "the hosts set the number of processes, but not the number of devices of each: give "
                "--trainer.devices_per_process");
  if (devices == "auto") devices = slots * each.get<int64_t>();
  if (each.is_null() && devices.is_number_integer() && devices > 0 && devices.get<int64_t>() % slots == 0)
    each = devices.get<int64_t>() / slots;
}

void apply_slots(RunConfig& config, const std::vector<HostEntry>& hosts, int (*count_gpus)()) {
  const auto& slots = hosts.front().slots;
  for (const auto& host : hosts)
    if (host.slots != slots)
      throw Error(ErrorCode::options_conflict,
                  "hosts '" + hosts.front().name + "' and '" + host.name +
                      "' have different numbers of processes; each host runs the same number of them");
  const std::string strategy = config.trainer.value("strategy", "");
  if (facts_of(strategy).parallel)
    refuse_several_processes(strategy, "--hosts and --hostfile start one on each machine");
  if (!slots) return;
  apply_devices(config.trainer, *slots);
  const auto& devices = config.trainer["devices"];
  const int each = ranks_on_each(config.trainer, count_gpus);
  if (each != *slots)
    throw Error(ErrorCode::options_conflict, "trainer.devices=" + devices.dump() + " is " + std::to_string(each) +
                                                 " on each machine, but the hosts give " + std::to_string(*slots) +
                                                 "; leave one of them out");
}

void apply_number(RunConfig& config, size_t hosts) {
  auto& nodes = config.trainer["num_nodes"];
  if (config.origins.count("trainer.num_nodes") && nodes != hosts)
    throw Error(ErrorCode::options_conflict, "trainer.num_nodes=" + nodes.dump() + ", and " + std::to_string(hosts) +
                                                 " hosts are named; leave out num_nodes, or name as many hosts");
  nodes = hosts;
}

WorldPlan with_hosts(RunConfig& config, const std::vector<HostEntry>& hosts, int (*count_gpus)()) {
  apply_slots(config, hosts, count_gpus);
  apply_number(config, hosts.size());
  WorldPlan plan;
  for (const auto& host : hosts) {
    if (is_loopback(address_of(host.name)) && hosts.size() > 1)
      throw Error(ErrorCode::host_list_invalid,
                  "host '" + host.name +
                      "' reaches this machine only from itself; give the name by which other machines reach it");
    plan.machines.push_back({host.name, is_this_machine(host.name)});
  }
  plan.ranks_each = ranks_on_each(config.trainer, count_gpus);
  plan.master_address = address_of(hosts.front().name);
  return plan;
}

// Rejects too many processes: a typing error could use up the machine's memory.
void check_number(const WorldPlan& plan) {
  const int cpus = usable_cpus(), most = std::max(most_on_a_cpu * cpus, least_refused);
  const bool here = std::any_of(plan.machines.begin(), plan.machines.end(), [](const auto& m) { return m.is_this; });
  if (here && plan.ranks_each > most)
    throw Error(ErrorCode::option_value_invalid, "trainer.devices=" + std::to_string(plan.ranks_each) +
                                                     " is more processes than this machine with " +
                                                     std::to_string(cpus) + (cpus == 1 ? " CPU" : " CPUs") +
                                                     " can run; the limit is " + std::to_string(most));
}

}  // namespace

bool is_launched(const EnvironmentVariables& variables) {
  if (is_child_of_rank(variables)) return false;
  return (variables.count("RANK") != 0 && variables.count("WORLD_SIZE") != 0) || world_of(variables).several();
}

int parallel_parts(const nlohmann::json& trainer, int (*count_gpus)()) {
  const RunPlan plan = make_run_plan(trainer);
  return facts_of(plan.machine.strategy).parallel ? devices_on_each(plan, count_gpus) : 1;
}

WorldPlan plan_world(RunConfig& config, const LaunchArguments& words, int (*count_gpus)()) {
  const auto hosts = named_hosts(words);
  if (!hosts.empty()) {
    WorldPlan plan = with_hosts(config, hosts, count_gpus);
    check_number(plan);
    return plan;
  }
  if (!words.ssh_command.empty()) throw Error(ErrorCode::option_missing, "--ssh_command needs --hosts or --hostfile");
  const int64_t nodes = config.trainer.value("num_nodes", int64_t{1});
  if (nodes > 1)
    throw Error(ErrorCode::option_missing,
                "trainer.num_nodes=" + std::to_string(nodes) +
                    ": the machines are not named; use --hosts a:4,b:4 or --hostfile FILE, or start this command with "
                    "srun, torchrun or mpirun");
  WorldPlan plan;
  plan.machines = {{host_name(), true}};
  plan.ranks_each = ranks_on_each(config.trainer, count_gpus);
  check_number(plan);
  return plan;
}

}  // namespace levin::core
