#include "host/submit/process_layout.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

// Returns the number of processes on a node, or of nodes, that the option asks for; 0 = open.
int64_t asked_for(const RunConfig& run, const char* option) {
  const nlohmann::json value = run.trainer.value(option, nlohmann::json());
  if (run.origins.count(std::string("trainer.") + option) == 0) return 0;
  if (value.is_array()) return static_cast<int64_t>(value.size());
  return value.is_number_integer() && value > 0 ? value.get<int64_t>() : 0;
}

int64_t agreed(const RunConfig& run, const char* option, int64_t given, const char* given_by) {
  const int64_t asked = asked_for(run, option);
  if (asked != 0 && given != 0 && asked != given)
    throw Error(ErrorCode::options_conflict, std::string("trainer.") + option + " asks for " + std::to_string(asked) +
                                                 ", but " + given_by + " for " + std::to_string(given) +
                                                 "; leave one of them out");
  return asked != 0 ? asked : given != 0 ? given : 1;
}

// Returns the number of processes on a node with this number of devices. each: devices per process. For devices, each
// and by_job, 0 = not given.
int64_t tasks_of_groups(int64_t devices, int64_t each, int64_t by_job) {
  if (devices == 0 || (each == 0 && by_job == 0)) return by_job > 0 ? by_job : 1;
  const int64_t tasks = by_job > 0 ? by_job : devices / each;
  const bool even = each > 0 ? tasks * each == devices : devices % tasks == 0;
  if (even) return tasks;
  throw Error(ErrorCode::options_conflict,
              std::to_string(devices) + " devices of a node cannot be divided among " +
                  (by_job > 0 ? "--tasks_per_node " + std::to_string(by_job) : "processes") +
                  (each > 0 ? " with trainer.devices_per_process=" + std::to_string(each) : ""));
}

[[noreturn]] void refuse_several(const RunConfig& run) {
  refuse_several_processes(run.trainer.at("strategy"), "the job has several");
}

// Returns the layout of a strategy with several devices in a process. The devices of a node are given by the job or by
// the run.
ProcessLayout layout_of_groups(const SubmitArguments& arguments, const RunConfig& run, bool one_process) {
  ProcessLayout out;
  const int64_t each = asked_for(run, "devices_per_process"), by_job = arguments.tasks_per_node;
  agreed(run, "devices", arguments.gpus, "--gpus (of each node)");
  const int64_t devices = std::max(asked_for(run, "devices"), arguments.gpus);
  out.tasks_per_node = one_process ? 1 : tasks_of_groups(devices, each, by_job);
  out.nodes = agreed(run, "num_nodes", arguments.nodes, "--nodes");
  if (one_process && (out.nodes > 1 || by_job > 1)) refuse_several(run);
  if (asked_for(run, "devices") == 0 && arguments.gpus > 0)
    out.arguments.push_back("--trainer.devices=" + std::to_string(devices));
  if (asked_for(run, "num_nodes") == 0 && out.nodes > 1)
    out.arguments.push_back("--trainer.num_nodes=" + std::to_string(out.nodes));
  return out;
}

}  // namespace

ProcessLayout process_layout(const SubmitArguments& arguments, const RunConfig& run) {
  const StrategyFacts& facts = facts_of(run.trainer.value("strategy", "auto"));
  const bool one_process = facts.process == StrategyFacts::Process::of_run;
  if (facts.parallel || facts.process == StrategyFacts::Process::of_group)
    return layout_of_groups(arguments, run, one_process);
  ProcessLayout out;
  const bool by_tasks = arguments.tasks_per_node > 0;
  out.tasks_per_node = agreed(run, "devices", by_tasks ? arguments.tasks_per_node : arguments.gpus,
                              by_tasks ? "--tasks_per_node" : "--gpus (of each node)");
  out.nodes = agreed(run, "num_nodes", arguments.nodes, "--nodes");
  if (out.nodes * out.tasks_per_node == 1) return out;
  if (one_process) refuse_several(run);
  if (asked_for(run, "devices") == 0)
    out.arguments.push_back("--trainer.devices=" + std::to_string(out.tasks_per_node));
  if (asked_for(run, "num_nodes") == 0) out.arguments.push_back("--trainer.num_nodes=" + std::to_string(out.nodes));
  return out;
}

bool is_size_of_job(const std::string& option) {
  for (const char* size : {"devices", "num_nodes"})
    if (option == size || option == std::string("trainer.") + size) return true;
  return false;
}

}  // namespace levin::core
