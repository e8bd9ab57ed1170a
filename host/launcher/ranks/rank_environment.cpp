#include "host/launcher/ranks/rank_environment.hpp"

#include <utility>

#include "core/cluster/world.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "host/launcher/ranks/engine_environment.hpp"

namespace levin::core {

EnvironmentVariables rank_environment(EnvironmentVariables out, const NodeTask& task, int local_rank, int control_fd) {
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
  add_blas_variables(out, task.engine.front());
  return out;
}

}  // namespace levin::core
