#include "core/cluster/cluster_environment.hpp"

#include <unistd.h>

#include <fstream>

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

using Env = EnvironmentVariables;

const ClusterEnvironment& environment(const std::string& name) {
  for (const auto& e : cluster_environments())
    if (name == e.name) return e;
  throw std::runtime_error("no environment " + name);
}

}  // namespace

TEST_CASE("environments are tried in Lightning's order, the process's own last") {
  struct Row {
    Env env;
    const char* name;
  };
  const std::vector<Row> rows = {
      {{}, "Lightning"},
      {{{"TORCHELASTIC_RUN_ID", "x"}, {"SLURM_NTASKS", "2"}}, "TorchElastic"},
      {{{"SLURM_NTASKS", "2"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, "SLURM"},
      {{{"SLURM_NTASKS", "2"}, {"SLURM_JOB_NAME", "bash"}}, "Lightning"},
      // srun in the shell of salloc, without and with a pty of srun; the shell itself; srun --pty bash
      {{{"SLURM_NTASKS", "2"}, {"SLURM_JOB_NAME", "interactive"}, {"SLURM_STEP_NUM_TASKS", "2"}}, "SLURM"},
      {{{"SLURM_NTASKS", "2"},
        {"SLURM_JOB_NAME", "interactive"},
        {"SLURM_STEP_NUM_TASKS", "2"},
        {"SLURM_PTY_PORT", "9"}},
       "SLURM"},
      {{{"SLURM_NTASKS", "2"}, {"SLURM_JOB_NAME", "interactive"}, {"SLURM_STEP_NUM_TASKS", "1"}}, "Lightning"},
      {{{"SLURM_NTASKS", "2"}, {"SLURM_JOB_NAME", "bash"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PTY_PORT", "99"}},
       "Lightning"},
      {{{"OMPI_COMM_WORLD_SIZE", "2"}}, "MPI"},
      {{{"LSB_JOBID", "1"}, {"LSB_DJOB_RANKFILE", "f"}, {"JSM_NAMESPACE_LOCAL_RANK", "0"}, {"JSM_NAMESPACE_SIZE", "2"}},
       "LSF"},
  };
  for (const auto& row : rows) CHECK(std::string(detected_environment(row.env).name) == row.name);
  CHECK_THROWS_WITH(environment("Kubeflow").detect({}), ContainsSubstring("has to be named"));
}

TEST_CASE("SLURM says the first node of a list, a port from the job, and the place of the process") {
  const auto& slurm = environment("SLURM");
  const std::vector<std::pair<std::string, std::string>> lists = {
      {"1.1.1.1,2.2.2.2", "1.1.1.1"},  {"node2", "node2"},
      {"a-b-c[1,4,7]", "a-b-c1"},      {"host[22-24,40],host2", "host22"},
      {"host[5],other[1-2]", "host5"}, {"alpha beta", "alpha"}};
  for (const auto& [list, address] : lists) CHECK(slurm.main_address({{"SLURM_NODELIST", list}}) == address);
  CHECK(slurm.main_address({}) == "127.0.0.1");
  CHECK(slurm.main_port({{"SLURM_JOB_ID", "0001234"}}) == 16234);
  CHECK(slurm.main_port({{"SLURM_JOB_ID", "7"}}) == 15007);
  CHECK(slurm.main_port({}) == 12910);
  CHECK(slurm.main_port({{"SLURM_JOB_ID", "1"}, {"MASTER_PORT", "9"}}) == 9);
  CHECK(slurm.world_size({{"SLURM_NTASKS", "20"}}) == 20);
  CHECK_THROWS_WITH(slurm.global_rank({}), ContainsSubstring("SLURM_PROCID"));
  CHECK_THROWS_WITH(slurm.check({{"SLURM_NTASKS", "2"}}), ContainsSubstring("--ntasks-per-node=2"));
}

TEST_CASE("LSF reads the hosts from its rank file") {
  char name[256] = {};
  REQUIRE(::gethostname(name, sizeof name - 1) == 0);
  const std::string path = "lsf_rank_file.txt";
  std::ofstream(path) << "launcher\nfirst\nfirst\n" << name << "\n";
  const auto& lsf = environment("LSF");
  const Env env = {{"LSB_JOBID", "12345"}, {"LSB_DJOB_RANKFILE", path}};
  CHECK(lsf.main_address(env) == "first");
  CHECK(lsf.main_port(env) == 10345);
  CHECK(lsf.node_rank(env) == 1);
  CHECK_THROWS_WITH(lsf.check({}), ContainsSubstring("LSB_DJOB_RANKFILE"));
  CHECK_THROWS_WITH(lsf.check({{"LSB_JOBID", "1"}, {"LSB_DJOB_RANKFILE", "nowhere"}}), ContainsSubstring("nowhere"));
  std::remove(path.c_str());
}

TEST_CASE("a variable that is not an integer is named") {
  CHECK_THROWS_WITH(environment("TorchElastic").global_rank({{"RANK", "x"}}), ContainsSubstring("RANK is 'x'"));
  CHECK_THROWS_WITH(environment("TorchElastic").world_size({}), ContainsSubstring("WORLD_SIZE is not set"));
  CHECK(environment("Lightning").node_rank({{"GROUP_RANK", "1"}}) == 1);
}
