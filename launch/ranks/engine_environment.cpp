#include "launch/ranks/engine_environment.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "launch/ranks/cpu_quota.hpp"

namespace levin::core {

int cpus_of_affinity(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(process, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

int usable_cpus() { return std::max(1, std::min(cpus_of_affinity(0), cpu_quota("/").value_or(CPU_SETSIZE))); }

// Valid values are a number of threads, or one for each level: "4,2".
void check_threads_variable(const EnvironmentVariables& variables) {
  const auto given = variables.find("OMP_NUM_THREADS");
  if (given == variables.end() || given->second.empty()) return;
  for (const std::string& part : split(given->second, ',')) {
    const std::string number = trim(part);
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || number.find_first_not_of('0') == std::string::npos || number.size() > 6)
      throw Error(ErrorCode::environment_invalid, "the environment variable OMP_NUM_THREADS is '" + given->second +
                                                      "'; set it to a number of threads, or unset it to use all CPUs");
  }
}

void add_engine_variables(EnvironmentVariables& variables, int processes) {
  const std::string share = std::to_string(std::max(1, usable_cpus() / processes));
  if (variables.emplace("OMP_NUM_THREADS", share).second) variables[chosen_threads_variable] = share;
  // Idle threads must not spin: with more threads than CPUs they would take CPU time from working threads.
  variables.emplace("OMP_WAIT_POLICY", "passive");
  // Large tensors are allocated in the heap and freed memory is kept: returning it to the system and faulting it in
  // again costs a quarter of a training step.
  variables.emplace("MALLOC_MMAP_THRESHOLD_", "1073741824");
  variables.emplace("MALLOC_TRIM_THRESHOLD_", "2147483648");
}

EnvironmentVariables environment_of_rank(EnvironmentVariables out, const NodeTask& task, int local_rank,
                                         int control_fd) {
  const std::pair<const char*, int> numbers[] = {
      {"RANK", task.first_rank + local_rank}, {"LOCAL_RANK", local_rank},        {"WORLD_SIZE", task.world},
      {"LOCAL_WORLD_SIZE", task.ranks},       {"GROUP_RANK", task.node},         {"NODE_RANK", task.node},
      {"LEVIN_RESTART_COUNT", task.restart},  {"LEVIN_LAUNCHER_FD", control_fd}, {nodes_variable, task.nodes}};
  for (const auto& [name, value] : task.passed) out[name] = value;
  for (const auto& [name, value] : numbers) out[name] = std::to_string(value);
  out[rendezvous_variable] = task.rendezvous;
  out["MASTER_ADDR"] = task.master_address;
  out.emplace("MASTER_PORT", "0");  // rank 0 chooses a free port and reports it
  if (task.threads > 0) out["OMP_NUM_THREADS"] = std::to_string(task.threads);
  add_engine_variables(out, task.ranks);
  if (!task.engine.empty()) add_blas_variables(out, task.engine.front());
  return out;
}

}  // namespace levin::core
