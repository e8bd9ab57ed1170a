#include "core/cluster/world.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

std::string text(const World& w) {
  return w.launcher + " " + std::to_string(w.rank) + "/" + std::to_string(w.size) + " " + std::to_string(w.local_rank) +
         "/" + std::to_string(w.local_size) + " " + std::to_string(w.node_rank) + "/" + std::to_string(w.nodes);
}

}  // namespace

TEST_CASE("every launcher says which of how many processes this one is") {
  const struct {
    EnvironmentVariables variables;
    std::string world;
  } rows[] = {
      {{}, "Lightning 0/1 0/1 0/1"},
      {{{"TORCHELASTIC_RUN_ID", "x"},
        {"WORLD_SIZE", "4"},
        {"RANK", "3"},
        {"LOCAL_RANK", "1"},
        {"LOCAL_WORLD_SIZE", "2"},
        {"GROUP_RANK", "1"}},
       "TorchElastic 3/4 1/2 1/2"},
      {{{"SLURM_NTASKS", "1"}}, "SLURM 0/1 0/1 0/1"},
      {{{"SLURM_NTASKS", "4"},
        {"SLURM_NTASKS_PER_NODE", "2"},
        {"SLURM_PROCID", "2"},
        {"SLURM_LOCALID", "0"},
        {"SLURM_NODEID", "1"},
        {"SLURM_NNODES", "2"},
        {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"}},
       "SLURM 2/4 0/2 1/2"},
      {{{"SLURM_NTASKS", "2"},
        {"SLURM_PROCID", "1"},
        {"SLURM_LOCALID", "1"},
        {"SLURM_NODEID", "0"},
        {"SLURM_STEP_NUM_NODES", "1"},
        {"SLURM_STEP_TASKS_PER_NODE", "2"}},
       "SLURM 1/2 1/2 0/1"},
      {{{"OMPI_COMM_WORLD_SIZE", "2"},
        {"OMPI_COMM_WORLD_RANK", "1"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
        {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
        {"OMPI_COMM_WORLD_NODE_RANK", "1"}},
       "MPI 1/2 1/2 0/1"},
      {{{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}}, "MPI 1/2 1/2 0/1"},
      {{{"RANK", "5"}, {"WORLD_SIZE", "6"}, {"LOCAL_WORLD_SIZE", "3"}}, "RANK and WORLD_SIZE 5/6 2/3 1/2"},
      {{{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "1"}, {"LEVIN_LAUNCHER_FD", "9"}}, "host 1/2 1/2 0/1"}};
  for (const auto& row : rows) CHECK(text(world_of(row.variables)) == row.world);
}

TEST_CASE("of a launcher inside of another one's job, the inner one counts") {
  const EnvironmentVariables job = {{"SLURM_NTASKS", "2"},
                                    {"SLURM_PROCID", "0"},
                                    {"SLURM_LOCALID", "0"},
                                    {"SLURM_NNODES", "5"},
                                    {"SLURM_STEP_NUM_NODES", "3"}};
  const auto inside = [&job](EnvironmentVariables more) {
    more.insert(job.begin(), job.end());
    return text(world_of(more));
  };
  EnvironmentVariables open_mpi = {{"OMPI_COMM_WORLD_SIZE", "2"},
                                   {"OMPI_COMM_WORLD_RANK", "1"},
                                   {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                   {"OMPI_COMM_WORLD_NODE_RANK", "1"}};
  CHECK(inside(open_mpi) == "MPI 1/2 1/2 0/1");
  CHECK(inside({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}}) ==
        "MPI 1/2 1/2 0/1");
  CHECK(inside({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_WORLD_SIZE", "2"}, {"LEVIN_LAUNCHER_FD", "9"}}) ==
        "host 1/2 1/2 0/1");
  CHECK(inside({{"RANK", "3"},
                {"WORLD_SIZE", "4"},
                {"LOCAL_WORLD_SIZE", "2"},
                {"GROUP_RANK", "1"},
                {"LEVIN_NODES", "2"},
                {"LEVIN_LAUNCHER_FD", "9"}}) == "host 3/4 1/2 1/2");
  for (const auto& [name, value] : EnvironmentVariables{{"TORCHELASTIC_RUN_ID", "x"},
                                                        {"WORLD_SIZE", "4"},
                                                        {"RANK", "3"},
                                                        {"LOCAL_RANK", "1"},
                                                        {"LOCAL_WORLD_SIZE", "2"},
                                                        {"GROUP_RANK", "1"}})
    open_mpi[name] = value;
  CHECK(inside(open_mpi) == "TorchElastic 3/4 1/2 1/2");
}

TEST_CASE("variables that contradict each other or are no numbers are refused by name") {
  CHECK_THROWS_WITH(world_of({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), ContainsSubstring("rank 2 of 2"));
  CHECK_THROWS_WITH(world_of({{"RANK", "x"}, {"WORLD_SIZE", "2"}}), ContainsSubstring("RANK is 'x'"));
  CHECK_THROWS_WITH(world_of({{"SLURM_NTASKS", "2"}, {"SLURM_PROCID", "0"}}), ContainsSubstring("put srun before"));
}

TEST_CASE("numbers of processes that cannot be are refused by the name of their variable, under every launcher") {
  const EnvironmentVariables torchrun = {
      {"TORCHELASTIC_RUN_ID", "x"}, {"WORLD_SIZE", "2"}, {"RANK", "1"}, {"LOCAL_RANK", "1"}};
  const EnvironmentVariables slurm = {{"SLURM_NTASKS", "2"},
                                      {"SLURM_PROCID", "1"},
                                      {"SLURM_LOCALID", "1"},
                                      {"SLURM_NODEID", "0"},
                                      {"SLURM_STEP_TASKS_PER_NODE", "2"}};
  const EnvironmentVariables open_mpi = {{"OMPI_COMM_WORLD_SIZE", "2"},
                                         {"OMPI_COMM_WORLD_RANK", "1"},
                                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  const EnvironmentVariables by_hand = {{"RANK", "1"}, {"WORLD_SIZE", "2"}};
  const struct {
    const EnvironmentVariables& job;
    const char *name, *value;
  } rows[] = {{torchrun, "RANK", "-1"},
              {torchrun, "WORLD_SIZE", "0"},
              {torchrun, "WORLD_SIZE", "-2"},
              {torchrun, "WORLD_SIZE", "5000000000"},
              {torchrun, "WORLD_SIZE", "5e9"},
              {torchrun, "LOCAL_RANK", "4294967296"},
              {slurm, "SLURM_PROCID", "-1"},
              {slurm, "SLURM_NTASKS", "0"},
              {slurm, "SLURM_NTASKS", "5000000000"},
              {slurm, "SLURM_NODEID", "-1"},
              {open_mpi, "OMPI_COMM_WORLD_RANK", "-1"},
              {open_mpi, "OMPI_COMM_WORLD_SIZE", "5000000000"},
              {by_hand, "RANK", "-1"},
              {by_hand, "WORLD_SIZE", "5000000000"}};
  for (const auto& row : rows) {
    EnvironmentVariables variables = row.job;
    CHECK(world_of(variables).size == 2);
    variables[row.name] = row.value;
    INFO(row.name << "=" << row.value);
    CHECK_THROWS_WITH(world_of(variables), ContainsSubstring(std::string("the environment variable ") + row.name +
                                                             " is '" + row.value + "'"));
  }
  EnvironmentVariables port = torchrun;
  port["MASTER_PORT"] = "-5";
  CHECK_THROWS_WITH(rendezvous_address(world_of(port), port, "env://"), ContainsSubstring("MASTER_PORT is '-5'"));
}

TEST_CASE("the processes meet where the option says, or else the launcher") {
  const EnvironmentVariables variables = {
      {"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "2345"}};
  const World world = world_of(variables);
  CHECK(rendezvous_address(world, variables, "env://").address == "node1");
  CHECK(rendezvous_address(world, variables, "env://").port == 2345);
  CHECK(rendezvous_address(world, variables, "tcp://other:99").address == "other");
  CHECK(rendezvous_address(world, variables, "tcp://other:99").port == 99);
  CHECK(rendezvous_address(world, variables, "file:///shared/x").file == "/shared/x");
  CHECK(rendezvous_address(world, variables, "env://").named_by == "MASTER_PORT");
  CHECK(rendezvous_address(world, variables, "tcp://other:99").named_by == "trainer.init_method");
  for (const char* wrong : {"tcp://other", "tcp://:99", "tcp://other:0", "tcp://other:70000", "file://x", "udp://x"})
    CHECK_THROWS_WITH(rendezvous_address(world, variables, wrong), ContainsSubstring(wrong));
  CHECK_THROWS_WITH(rendezvous_address(world, {{"RANK", "0"}, {"WORLD_SIZE", "2"}}, "env://"),
                    ContainsSubstring("MASTER_PORT"));
  CHECK_THROWS_WITH(rendezvous_address(world, {{"MASTER_PORT", "99999"}}, "env://"),
                    ContainsSubstring("MASTER_PORT is 99999; a port is 1 to 65535"));
}

TEST_CASE("processes that torchrun starts leave the port to its agent where that serves a store") {
  EnvironmentVariables variables = {{"TORCHELASTIC_RUN_ID", "x"}, {"WORLD_SIZE", "2"},       {"RANK", "1"},
                                    {"LOCAL_RANK", "0"},          {"LOCAL_WORLD_SIZE", "1"}, {"GROUP_RANK", "1"},
                                    {"MASTER_ADDR", "node1"},     {"MASTER_PORT", "2345"}};
  CHECK(rendezvous_address(world_of(variables), variables, "env://").port == 2345);
  variables["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  CHECK(rendezvous_address(world_of(variables), variables, "env://").port == 2346);
  variables["MASTER_PORT"] = "65535";
  CHECK(rendezvous_address(world_of(variables), variables, "env://").port == 65534);
  variables["LOCAL_WORLD_SIZE"] = "2";
  variables["GROUP_RANK"] = "0";
  const std::string file = rendezvous_address(world_of(variables), variables, "env://").file;
  CHECK(!file.empty());
  variables["TORCHELASTIC_ERROR_FILE"] = "/tmp/torchelastic_a/x_b/attempt_1/0/error.json";
  CHECK(rendezvous_address(world_of(variables), variables, "env://").file != file);
}

TEST_CASE("steps of one job of SLURM have different ports") {
  EnvironmentVariables variables = {{"SLURM_NTASKS", "2"},  {"SLURM_PROCID", "0"},
                                    {"SLURM_LOCALID", "0"}, {"SLURM_NODEID", "0"},
                                    {"SLURM_NNODES", "2"},  {"SLURM_STEP_TASKS_PER_NODE", "1(x2)"},
                                    {"SLURM_JOB_ID", "17"}, {"SLURM_STEP_ID", "0"}};
  const int first = rendezvous_address(world_of(variables), variables, "env://").port;
  variables["SLURM_STEP_ID"] = "1";
  CHECK(rendezvous_address(world_of(variables), variables, "env://").port == first + 1);
}

TEST_CASE("processes that mpirun starts on one machine meet in a file of their own") {
  const EnvironmentVariables one = {{"OMPI_COMM_WORLD_SIZE", "2"},       {"OMPI_COMM_WORLD_RANK", "1"},
                                    {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                    {"OMPI_COMM_WORLD_NODE_RANK", "1"},  {"PMIX_NAMESPACE", "1234"}};
  EnvironmentVariables other = one;
  other["PMIX_NAMESPACE"] = "1235";
  const std::string file = rendezvous_address(world_of(one), one, "env://").file;
  CHECK(!file.empty());
  CHECK(file != rendezvous_address(world_of(other), other, "env://").file);
  other["OMPI_COMM_WORLD_LOCAL_SIZE"] = "1";
  other["OMPI_COMM_WORLD_LOCAL_RANK"] = "0";
  CHECK_THROWS_WITH(rendezvous_address(world_of(other), other, "env://"), ContainsSubstring("2 machines"));
}

TEST_CASE("two runs of a launcher have two identities, and all processes of one have the same") {
  const struct {
    std::string launcher, name;
    EnvironmentVariables others;
  } rows[] = {{"host", "LEVIN_RENDEZVOUS", {}},
              {"SLURM", "SLURM_JOB_ID", {{"SLURM_STEP_ID", "0"}}},
              {"SLURM", "SLURM_STEP_ID", {{"SLURM_JOB_ID", "7"}}},
              {"TorchElastic", "TORCHELASTIC_RUN_ID", {}},
              {"LSF", "LSB_JOBID", {}},
              {"MPI", "PMIX_NAMESPACE", {}}};
  for (const auto& row : rows) {
    World world;
    world.launcher = row.launcher;
    EnvironmentVariables one = row.others, other = row.others, rank_1 = row.others;
    one[row.name] = rank_1[row.name] = "1";
    other[row.name] = "2";
    rank_1["RANK"] = rank_1["SLURM_PROCID"] = "1";
    INFO(row.launcher << " " << row.name);
    CHECK(run_identity(world, one) != run_identity(world, other));
    CHECK(run_identity(world, one) == run_identity(world, rank_1));
    world.launcher = "RANK and WORLD_SIZE";  // within such a job, started by hand
    CHECK(run_identity(world, one).empty());
  }
}

TEST_CASE("a program that a rank starts is no rank, unless another launcher has started it since") {
  EnvironmentVariables variables = {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "0"}, {"SLURM_JOB_ID", "7"}};
  CHECK(world_of(variables).size == 2);
  variables[parent_rank_variable] = rank_said_by(variables);
  CHECK(is_child_of_rank(variables));
  CHECK(world_of(variables).size == 1);
  EnvironmentVariables by_host = variables, by_other = variables;
  by_host["LEVIN_LAUNCHER_FD"] = "9";
  CHECK(world_of(by_host).size == 2);
  by_other["MASTER_PORT"] = "29500";
  CHECK(world_of(by_other).size == 2);
}
