// Workers of host tasks in a SLURM cluster with two nodes on this machine.
#include "host_process/host_process.hpp"
#include "skipped.hpp"
#include "slurm_cluster.hpp"

TEST_CASE("SLURM places the workers of jobs of tasks") {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) {
    skipped("no test of host tasks with SLURM: " + obstacle);
    return;
  }
  const SlurmCluster cluster;
  REQUIRE(cluster.problem().empty());
  const std::string out = cluster.ask(LEVIN_TEST_SLURM_JOBS " 2>&1; echo code $?");
  INFO(out);
  CHECK_THAT(out, ContainsSubstring("code 0\n"));
  CHECK(cluster.is_empty_within(20));
}
