#include "host/launcher/world_plan.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/config/run_plan.hpp"
#include "host/launcher/nodes/host_list.hpp"

namespace levin::core {
namespace {

using Kind = DeviceChoice::Kind;

[[noreturn]] void refuse_plan(const std::string& what) { throw Error(ErrorKind::usage, what); }

std::string this_machine() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

bool is_loopback(const std::string& name) { return name == "localhost" || name == "127.0.0.1" || name == "::1"; }

bool is_this_machine(const std::string& name) {
  const std::string own = this_machine();
  return is_loopback(name) || name == own || name == own.substr(0, own.find('.'));
}

std::string address_of(const std::string& name) {
  const std::string host = name.substr(name.find('@') == std::string::npos ? 0 : name.find('@') + 1);
  return starts_with(host, "[") ? host.substr(1, host.size() - 2) : host;
}

// These strategies have all devices of a machine in one process.
bool in_one_process(const nlohmann::json& trainer) {
  const std::string strategy = trainer.value("strategy", "auto");
  return strategy == "single_device" || strategy == "dp" || strategy == "model_parallel";
}

int ranks_on_each(const nlohmann::json& trainer, int (*count_gpus)()) {
  if (in_one_process(trainer)) return 1;
  const DeviceChoice devices = make_run_plan(trainer).devices;
  if (devices.kind == Kind::all) return std::max(1, count_gpus());
  if (devices.kind == Kind::listed) return std::max(1, static_cast<int>(devices.ids.size()));
  return devices.kind == Kind::count ? std::max(1, devices.count) : 1;
}

std::vector<HostEntry> named_hosts(const LaunchWords& words) {
  if (!words.hosts.empty() && !words.hostfile.empty())
    refuse_plan("--hosts and --hostfile both name the machines of the run; leave one of them out");
  if (!words.hosts.empty()) return hosts_from_list(words.hosts);
  if (!words.hostfile.empty()) return hosts_from_file(words.hostfile);
  return {};
}

// The processes of each host, where the hosts say it.
void apply_slots(RunConfig& config, const std::vector<HostEntry>& hosts, int (*count_gpus)()) {
  const auto& slots = hosts.front().slots;
  for (const auto& host : hosts)
    if (host.slots != slots)
      refuse_plan("hosts '" + hosts.front().name + "' and '" + host.name +
                  "' have different numbers of processes; each host runs the same number of them");
  if (!slots) return;
  auto& devices = config.trainer["devices"];
  if (devices == "auto") devices = *slots;
  const int each = ranks_on_each(config.trainer, count_gpus);
  if (each != *slots)
    refuse_plan("trainer.devices=" + devices.dump() + " is " + std::to_string(each) +
                " on each machine, and the hosts say " + std::to_string(*slots) + "; leave one of them out");
}

void apply_number(RunConfig& config, size_t hosts) {
  auto& nodes = config.trainer["num_nodes"];
  if (config.origins.count("trainer.num_nodes") && nodes != hosts)
    refuse_plan("trainer.num_nodes=" + nodes.dump() + ", and " + std::to_string(hosts) +
                " hosts are named; leave num_nodes out, or name as many hosts");
  nodes = hosts;
}

WorldPlan with_hosts(RunConfig& config, const std::vector<HostEntry>& hosts, int (*count_gpus)()) {
  apply_slots(config, hosts, count_gpus);
  apply_number(config, hosts.size());
  WorldPlan plan;
  for (const auto& host : hosts) {
    if (is_loopback(address_of(host.name)) && hosts.size() > 1)
      refuse_plan("host '" + host.name +
                  "' is this machine to itself only; give the name by which the others reach it");
    plan.machines.push_back({host.name, is_this_machine(host.name)});
  }
  plan.ranks_each = ranks_on_each(config.trainer, count_gpus);
  plan.master_address = address_of(hosts.front().name);
  return plan;
}

}  // namespace

bool is_launched(const EnvironmentVariables& variables) {
  if (is_child_of_rank(variables)) return false;
  return (variables.count("RANK") != 0 && variables.count("WORLD_SIZE") != 0) || world_of(variables).several();
}

WorldPlan plan_world(RunConfig& config, const LaunchWords& words, int (*count_gpus)()) {
  const auto hosts = named_hosts(words);
  if (!hosts.empty()) return with_hosts(config, hosts, count_gpus);
  if (!words.ssh_command.empty()) refuse_plan("--ssh_command is for the machines that --hosts or --hostfile names");
  const int64_t nodes = config.trainer.value("num_nodes", int64_t{1});
  if (nodes > 1)
    refuse_plan("trainer.num_nodes=" + std::to_string(nodes) +
                ": nobody says which machines these are: name them, as in --hosts a:4,b:4 or --hostfile FILE, or let "
                "srun, torchrun or mpirun start this command");
  WorldPlan plan;
  plan.machines = {{this_machine(), true}};
  plan.ranks_each = ranks_on_each(config.trainer, count_gpus);
  return plan;
}

}  // namespace levin::core
