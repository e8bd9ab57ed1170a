#include "core/cluster/world.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

constexpr int most_port = 65535;
constexpr int most_processes = 1000000;

using Env = EnvironmentVariables;

std::optional<std::string> given(const Env& env, const char* name) {
  const auto found = env.find(name);
  return found == env.end() || trim(found->second).empty() ? std::nullopt
                                                           : std::optional<std::string>(trim(found->second));
}

std::optional<int> number(const Env& env, const char* name) {
  const auto value = given(env, name);
  if (!value) return std::nullopt;
  const auto parsed = scalar_from_text(*value);
  if (parsed.is_number_integer() && parsed >= 0 && parsed <= most_processes) return parsed.get<int>();
  throw Error(ErrorCode::environment_invalid, std::string("the environment variable ") + name + " is '" + *value +
                                                  "'; it has to be an integer from 0 to " +
                                                  std::to_string(most_processes));
}

// Returns the first of these variables that is set.
int first_of(const Env& env, std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names)
    if (const auto value = number(env, name)) return *value;
  return otherwise;
}

void check(const World& world) {
  const auto outside = [](int rank, int size) { return rank >= size || size < 1; };
  if (outside(world.rank, world.size) || outside(world.local_rank, world.local_size) ||
      outside(world.node_rank, world.nodes) || world.local_size > world.size)
    throw Error(ErrorCode::environment_invalid,
                "the environment of " + world.launcher + " contradicts itself: rank " + std::to_string(world.rank) +
                    " of " + std::to_string(world.size) + ", local rank " + std::to_string(world.local_rank) + " of " +
                    std::to_string(world.local_size) + ", node " + std::to_string(world.node_rank) + " of " +
                    std::to_string(world.nodes));
}

// Returns the number of tasks of a node. SLURM's list has the form "2(x3),1".
int tasks_of_node(const std::string& list, int node) {
  for (const std::string& part : split(list, ',')) {
    const size_t bracket = part.find("(x");
    const int tasks = std::atoi(part.c_str());
    const int nodes = bracket == std::string::npos ? 1 : std::atoi(part.c_str() + bracket + 2);
    if (node < nodes) return tasks;
    node -= nodes;
  }
  return 0;
}

int local_size_of(const Env& env, const World& world) {
  if (const auto list = given(env, "SLURM_STEP_TASKS_PER_NODE"); list && world.launcher == "SLURM")
    if (const int tasks = tasks_of_node(*list, world.node_rank)) return tasks;
  const int fallback = world.nodes > 1 ? std::max(1, world.size / world.nodes) : world.size;
  return first_of(env, {"LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, fallback);
}

// SLURM's node count applies only to its own step, not to a launcher within the step.
int nodes_of(const Env& env, const std::string& launcher, int size) {
  if (launcher == "SLURM")
    if (const int nodes = first_of(env, {"SLURM_STEP_NUM_NODES", "SLURM_NNODES"}, 0)) return nodes;
  if (launcher == "host")
    if (const int nodes = first_of(env, {nodes_variable}, 0)) return nodes;
  const int local = first_of(env, {"LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, size);
  return local > 0 ? (size + local - 1) / local : 1;
}

const ClusterEnvironment& environment_named(const std::string& name) {
  const auto& all = cluster_environments();
  return *std::find_if(all.begin(), all.end(), [&name](const ClusterEnvironment& e) { return e.name == name; });
}

// Reads variables set by the user or by the host's own launcher.
World given_world(const Env& env) {
  World world;
  world.launcher = given(env, "LEVIN_LAUNCHER_FD") ? "host" : "RANK and WORLD_SIZE";
  world.rank = *number(env, "RANK");
  world.size = *number(env, "WORLD_SIZE");
  world.local_size = first_of(env, {"LOCAL_WORLD_SIZE"}, world.size);
  world.machines_known = given(env, "LOCAL_WORLD_SIZE").has_value();
  world.local_rank = first_of(env, {"LOCAL_RANK"}, world.local_size > 0 ? world.rank % world.local_size : 0);
  world.nodes = nodes_of(env, world.launcher, world.size);
  world.node_rank =
      first_of(env, {"GROUP_RANK", "NODE_RANK"}, world.local_size > 0 ? world.rank / world.local_size : 0);
  return world;
}

// Reads the variables of MPICH's launcher, Hydra.
World hydra_world(const Env& env) {
  World world;
  world.launcher = "MPI";
  world.rank = *number(env, "PMI_RANK");
  world.size = *number(env, "PMI_SIZE");
  world.local_size = first_of(env, {"MPI_LOCALNRANKS"}, world.size);
  world.local_rank = first_of(env, {"MPI_LOCALRANKID"}, world.rank % std::max(world.local_size, 1));
  world.nodes = nodes_of(env, world.launcher, world.size);
  world.node_rank = world.rank / std::max(world.local_size, 1);
  return world;
}

// In a job's batch script SLURM's variables describe the whole job, and the rank is always 0.
void check_slurm_step(const Env& env, int tasks) {
  if (given(env, "SLURM_STEP_TASKS_PER_NODE")) return;
  throw Error(ErrorCode::environment_invalid,
              "this SLURM job has " + std::to_string(tasks) +
                  " tasks, but srun did not start this process: put srun before the command, or "
                  "allocate one task for a run of one process");
}

// The launchers' variables for sizes and ranks. The first one of each launcher is the number of processes.
constexpr struct {
  std::string_view launcher;
  const char* names[4];
} counts_of_launchers[] = {
    {"TorchElastic", {"WORLD_SIZE", "RANK", "LOCAL_RANK", "GROUP_RANK"}},
    {"SLURM", {"SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"}},
    {"LSF", {"JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_SIZE"}},
    {"MPI",
     {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK"}}};

void check_counts(const Env& env, const std::string& launcher) {
  for (const auto& counts : counts_of_launchers) {
    if (counts.launcher != launcher) continue;
    for (const char* name : counts.names) number(env, name);
    if (number(env, counts.names[0]) == 0)
      throw Error(ErrorCode::environment_invalid, std::string("the environment variable ") + counts.names[0] +
                                                      " is '0'; it has to count this process too");
  }
}

World launched_world(const Env& env, const ClusterEnvironment& cluster) {
  World world;
  world.launcher = cluster.name;
  check_counts(env, world.launcher);
  world.size = static_cast<int>(cluster.world_size(env).value_or(1));
  if (world.size <= 1) return world;
  if (world.launcher == "SLURM") check_slurm_step(env, world.size);
  world.rank = static_cast<int>(cluster.global_rank(env));
  world.local_rank = static_cast<int>(cluster.local_rank(env));
  world.nodes = nodes_of(env, world.launcher, world.size);
  // Open MPI's node rank is the rank of a process on its node, like its local rank.
  const bool mpi = world.launcher == "MPI";
  world.node_rank = mpi ? 0 : static_cast<int>(cluster.node_rank(env));
  world.local_size = local_size_of(env, world);
  if (mpi) world.node_rank = world.rank / std::max(world.local_size, 1);
  return world;
}

std::pair<std::string, int> host_and_port(const std::string& place, const std::string& whole) {
  const size_t colon = place.rfind(':');
  const std::string port = colon == std::string::npos ? "" : place.substr(colon + 1);
  const bool digits = !port.empty() && port.find_first_not_of("0123456789") == std::string::npos && port.size() <= 5;
  if (colon == 0 || !digits || std::stoi(port) > 65535 || std::stoi(port) == 0)
    throw Error(ErrorCode::option_value_invalid,
                "trainer.init_method=" + whole + ": tcp:// needs a host and a port, as in tcp://node1:29500");
  return {place.substr(0, colon), std::stoi(port)};
}

// Returns a text that only the processes of one job have in their environment, as far as the launcher sets one.
std::string job_of(const Env& env) {
  std::string job;
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri", "OMPI_MCA_orte_precondition_transports",
                           "TORCHELASTIC_RUN_ID", "MASTER_PORT"})
    job += given(env, name).value_or("") + " ";
  // .../attempt_0/1/error.json
  job += std::filesystem::path(given(env, "TORCHELASTIC_ERROR_FILE").value_or("")).parent_path().parent_path().string();
  return given(env, "MPI_LOCALNRANKS") ? job + " " + hydra_proxy() : job;
}

// Processes on one machine whose launcher does not set a free port use a file for the rendezvous.
RendezvousAddress local_place(const Env& env) {
  RendezvousAddress place;
  place.file = job_file(job_of(env));
  return place;
}

RendezvousAddress mpi_place(const World& world, const Env& env) {
  if (world.nodes == 1) return local_place(env);
  throw Error(ErrorCode::environment_invalid,
              "mpirun started processes on " + std::to_string(world.nodes) +
                  " machines without an address for the rendezvous: give an address of the first machine, as in "
                  "--trainer.init_method tcp://node1:29500, or set MASTER_ADDR and MASTER_PORT (mpirun -x)");
}

// Returns the offset of the step's port. Several steps of one SLURM job may run at the same time.
int64_t step_of(const World& world, const Env& env) {
  if (world.launcher != "SLURM" || given(env, "MASTER_PORT")) return 0;
  return first_of(env, {"SLURM_STEP_ID"}, 0) % 1000;
}

// torchrun's agent may serve a store of its own at MASTER_PORT. Its protocol differs between LibTorch versions, so the
// processes have their own rendezvous: at an adjacent port, or, on one machine, in a file.
RendezvousAddress beside_agent(const World& world, const Env& env, RendezvousAddress place) {
  if (world.nodes == 1) return local_place(env);
  if (++place.port > 65535) place.port -= 2;
  return place;
}

}  // namespace

std::string rank_said_by(const Env& env) {
  std::string text;
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_PORT", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "PMIX_NAMESPACE",
                           "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_JOB_ID", "SLURM_STEP_ID",
                           "SLURM_PROCID", "TORCHELASTIC_RUN_ID", "LSB_JOBID", "JSM_NAMESPACE_RANK"})
    text += given(env, name).value_or("") + ";";
  return text;
}

// A rank of the host's own launcher has LEVIN_LAUNCHER_FD set; programs that it starts do not inherit it.
bool is_child_of_rank(const Env& env) {
  return given(env, parent_rank_variable) == rank_said_by(env) && !given(env, "LEVIN_LAUNCHER_FD");
}

// A launcher may run inside another launcher's job: the innermost one has started this process.
World world_of(const Env& env) {
  if (is_child_of_rank(env)) return World();
  const ClusterEnvironment& cluster = detected_environment(env);
  const bool elastic = std::string(cluster.name) == "TorchElastic", none = std::string(cluster.name) == "Lightning";
  const auto has = [&env](const char* rank, const char* size) { return number(env, rank) && number(env, size); };
  const bool by_host = given(env, "LEVIN_LAUNCHER_FD") && has("RANK", "WORLD_SIZE");
  World world;
  if (!by_host && !elastic && has("PMI_RANK", "PMI_SIZE") && (none || given(env, "MPI_LOCALNRANKS"))) {
    world = hydra_world(env);
  } else if (!by_host && !elastic && first_of(env, {"OMPI_COMM_WORLD_SIZE"}, 1) > 1) {
    world = launched_world(env, environment_named("MPI"));
  } else if (by_host || (none && has("RANK", "WORLD_SIZE"))) {
    world = given_world(env);
  } else {
    if (std::string(cluster.name) == "LSF") cluster.check(env);
    world = launched_world(env, cluster);
  }
  check(world);
  return world;
}

std::string run_identity(const World& world, const Env& env) {
  const std::pair<const char*, std::vector<const char*>> names[] = {{"host", {rendezvous_variable}},
                                                                    {"SLURM", {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
                                                                    {"TorchElastic", {"TORCHELASTIC_RUN_ID"}},
                                                                    {"LSF", {"LSB_JOBID", "PMIX_NAMESPACE"}},
                                                                    {"MPI", {"PMIX_NAMESPACE"}}};
  std::string text;
  for (const auto& [launcher, variables] : names)
    for (const char* name : variables)
      if (const auto value = given(env, name); value && world.launcher == launcher) text += " " + *value;
  return text.empty() ? "" : world.launcher + text;
}

RendezvousAddress rendezvous_address(const World& world, const Env& env, const std::string& init_method) {
  RendezvousAddress place;
  if (starts_with(init_method, "file://")) {
    place.file = init_method.substr(7);
    if (place.file.empty() || place.file[0] != '/')
      throw Error(ErrorCode::option_value_invalid, "trainer.init_method=" + init_method +
                                                       ": file:// needs an absolute path, as in file:///shared/run-7");
    return place;
  }
  if (starts_with(init_method, "tcp://")) {
    std::tie(place.address, place.port) = host_and_port(init_method.substr(6), init_method);
    place.named_by = "trainer.init_method";
    return place;
  }
  if (init_method != "env://")
    throw Error(ErrorCode::option_value_invalid,
                "trainer.init_method=" + init_method + ": valid: env://, tcp://HOST:PORT, file:///PATH");
  if (world.launcher == "MPI" && !(given(env, "MASTER_ADDR") && number(env, "MASTER_PORT")))
    return mpi_place(world, env);
  number(env, "MASTER_PORT");  // throws unless it is an integer >= 0
  const bool plain = world.launcher == "host" || world.launcher == "RANK and WORLD_SIZE" || world.launcher == "MPI";
  const ClusterEnvironment& cluster = detected_environment(env);
  place.address = plain ? given(env, "MASTER_ADDR").value_or("127.0.0.1") : cluster.main_address(env);
  place.port =
      plain ? number(env, "MASTER_PORT").value_or(0) : static_cast<int>(cluster.main_port(env) + step_of(world, env));
  if (place.port > most_port)
    throw Error(ErrorCode::environment_invalid,
                "MASTER_PORT is " + std::to_string(place.port) + "; a port is 1 to " + std::to_string(most_port));
  if (place.port == 0 && world.launcher != "host")
    throw Error(ErrorCode::environment_invalid, world.launcher +
                                                    ": no port is set for the rendezvous: set MASTER_PORT, or give "
                                                    "--trainer.init_method tcp://HOST:PORT");
  if (place.port > 0) place.named_by = "MASTER_PORT";
  const bool by_agent = world.launcher == "TorchElastic" && given(env, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  return by_agent ? beside_agent(world, env, std::move(place)) : place;
}

}  // namespace levin::core
