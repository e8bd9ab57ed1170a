// The environment of a rank.

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "launch/ranks/engine_environment.hpp"
#include "launched.hpp"

using namespace levin::core;

namespace {

std::string without_pid(const Launched& run, int rank) {
  auto lines = run.notes(rank);
  lines.erase(lines.begin());
  return join(lines, " ");
}

}  // namespace

TEST_CASE("every rank knows its place") {
  Launched run({3,
                {"env RANK", "env LOCAL_RANK", "env WORLD_SIZE", "env LOCAL_WORLD_SIZE", "env GROUP_RANK",
                 "env NODE_RANK", "env LEVIN_NODES", "env MASTER_ADDR", "env MASTER_PORT", "env LEVIN_RESTART_COUNT"}});
  CHECK(run.code() == 0);
  for (const int r : {0, 2}) {
    const std::string n = std::to_string(r);
    CHECK(without_pid(run, r) == "RANK=" + n + " LOCAL_RANK=" + n +
                                     " WORLD_SIZE=3 LOCAL_WORLD_SIZE=3 GROUP_RANK=0 NODE_RANK=0 LEVIN_NODES=1 "
                                     "MASTER_ADDR=127.0.0.1 MASTER_PORT=0 LEVIN_RESTART_COUNT=0");
  }
}

TEST_CASE("every rank reads its own copy of the run") {
  Launched run({3, {"config"}});
  CHECK(run.code() == 0);
  for (const int rank : {0, 1, 2}) {
    const RunConfig config = run_config_from_json(parse_json(run.notes(rank).back(), "it"), "it");
    CHECK(config.trainer.at("devices") == 3);
    CHECK(config.model.component == "net");
  }
}

TEST_CASE("the CPUs are shared out, unless the user says how many threads a rank has") {
  NodeTask task;
  task.ranks = 1000;
  CHECK(environment_of_rank({}, task, 0, 5).at("OMP_NUM_THREADS") == "1");
  task.ranks = 1;
  CHECK(environment_of_rank({}, task, 0, 5).at("OMP_NUM_THREADS") == std::to_string(usable_cpus()));
  CHECK(environment_of_rank({{"OMP_NUM_THREADS", "3"}}, task, 0, 5).at("OMP_NUM_THREADS") == "3");
  task.threads = 4;
  CHECK(environment_of_rank({{"OMP_NUM_THREADS", "3"}}, task, 0, 5).at("OMP_NUM_THREADS") == "4");
}

TEST_CASE("how many processes and threads there are is said") {
  Launched run({2, {}, 0, "", "", {{"OMP_NUM_THREADS", "7"}}});
  CHECK(run.code() == 0);
  CHECK(run.err() == "host: 2 processes, 7 threads each\n");
}

TEST_CASE("where the store is goes from rank 0 to the others, and to nobody else") {
  Launched run({3, {"0:say store 10.1.2.3 4711", "1,2:hear", "0:note done"}});
  CHECK(run.code() == 0);
  CHECK(run.notes(1).back() == "store 10.1.2.3 4711");
  CHECK(run.notes(2).back() == "store 10.1.2.3 4711");
  CHECK(run.notes(0).back() == "done");
}
