#include "core/strategies/single_process.hpp"

#include "core/base/error.hpp"

namespace levin::core {

void check_single_process(const EnvironmentVariables& variables) {
  const ClusterEnvironment& cluster = detected_environment(variables);
  cluster.check(variables);
  const int64_t processes = cluster.world_size(variables).value_or(1);
  if (processes <= 1) return;
  throw Error(ErrorKind::usage, std::string(cluster.name) + " started " + std::to_string(processes) +
                                    " processes, of which this is number " +
                                    std::to_string(cluster.global_rank(variables)) +
                                    ", and this version trains in one; start one only");
}

}  // namespace levin::core
