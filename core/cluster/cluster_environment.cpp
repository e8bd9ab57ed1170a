#include "core/cluster/cluster_environment.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

#include "core/base/error.hpp"
#include "core/base/machine.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using Env = EnvironmentVariables;

std::optional<std::string> text(const Env& env, const char* name) {
  const auto found = env.find(name);
  return found == env.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::string required(const Env& env, const char* name) {
  if (const auto value = text(env, name)) return *value;
  throw Error(ErrorCode::environment_invalid, std::string("the environment variable ") + name + " is not set");
}

int64_t integer(const std::string& value, const char* name) {
  const auto number = scalar_from_text(trim(value));
  if (number.is_number_integer()) return number.get<int64_t>();
  throw Error(ErrorCode::environment_invalid,
              std::string("the environment variable ") + name + " is '" + value + "', not an integer");
}

template <const char* const& name>
int64_t required_integer(const Env& env) {
  return integer(required(env, name), name);
}

int64_t integer_or(const Env& env, const char* name, int64_t otherwise) {
  const auto value = text(env, name);
  return value ? integer(*value, name) : otherwise;
}

bool always(const Env&) { return true; }
void nothing(const Env&) {}
[[noreturn]] bool by_hand_only(const Env&) {
  throw Error(ErrorCode::environment_invalid, "this environment cannot be detected: it has to be named");
}
int64_t zero(const Env&) { return 0; }

constexpr const char* rank_variable = "RANK";
constexpr const char* local_variable = "LOCAL_RANK";
constexpr const char* size_variable = "WORLD_SIZE";
constexpr const char* port_variable = "MASTER_PORT";
constexpr int64_t usual_port = 12910;

std::string master_or_localhost(const Env& env) { return text(env, "MASTER_ADDR").value_or("127.0.0.1"); }
std::string master(const Env& env) { return required(env, "MASTER_ADDR"); }

template <const char* const& name>
std::optional<int64_t> required_size(const Env& env) {
  return required_integer<name>(env);
}

// SLURM

constexpr const char* slurm_tasks = "SLURM_NTASKS";
constexpr const char* slurm_rank = "SLURM_PROCID";
constexpr const char* slurm_local = "SLURM_LOCALID";
constexpr const char* slurm_node = "SLURM_NODEID";

// Interactive allocations are named "interactive" (salloc) or "bash" (`srun --pty bash`). Their shell is not a process
// of a run, whatever the number of tasks. Steps that srun starts there have the same name.
bool started_by_srun(const Env& env) {
  const std::string job = text(env, "SLURM_JOB_NAME").value_or("");
  if (env.count(slurm_tasks) == 0) return false;
  if (job != "bash" && job != "interactive") return true;
  const std::string step = text(env, "SLURM_STEP_NUM_TASKS").value_or("1");
  return step != "0" && step != "1" && (job == "interactive" || env.count("SLURM_PTY_PORT") == 0);
}

void check_slurm(const Env& env) {
  const int64_t tasks = integer_or(env, slurm_tasks, 1);
  if (tasks <= 1 || env.count("SLURM_NTASKS_PER_NODE") != 0) return;
  throw Error(ErrorCode::environment_invalid,
              "SLURM: --ntasks=" + std::to_string(tasks) +
                  " does not set the number of tasks on each node; add --ntasks-per-node=" + std::to_string(tasks));
}

// Returns the first node of SLURM's list: "host[5-9,12],other" -> "host5".
std::string slurm_address(const Env& env) {
  if (const auto given = text(env, "MASTER_ADDR")) return *given;
  std::string nodes = text(env, "SLURM_NODELIST").value_or("127.0.0.1");
  nodes = std::regex_replace(nodes, std::regex(R"(\[([^\]]*?)[,-].*\])"), "$1");
  nodes = std::regex_replace(nodes, std::regex(R"(\[(.*?)\])"), "$1");
  return nodes.substr(0, nodes.find_first_of(" ,"));
}

int64_t slurm_port(const Env& env) {
  if (env.count(port_variable)) return required_integer<port_variable>(env);
  const auto job = text(env, "SLURM_JOB_ID");
  if (!job) return usual_port;
  const std::string digits = job->substr(job->size() - std::min<size_t>(job->size(), 4));
  return integer(digits, "SLURM_JOB_ID") + 15000;
}

// LSF

constexpr const char* lsf_size = "JSM_NAMESPACE_SIZE";
constexpr const char* lsf_rank = "JSM_NAMESPACE_RANK";
constexpr const char* lsf_local = "JSM_NAMESPACE_LOCAL_RANK";

bool started_by_jsrun(const Env& env) {
  for (const char* name : {"LSB_JOBID", "LSB_DJOB_RANKFILE", lsf_local, lsf_size})
    if (env.count(name) == 0) return false;
  return true;
}

// Reads the rank file: the first line is the launching node, each further line the host of one rank.
std::vector<std::string> lsf_hosts(const Env& env) {
  const std::string path = required(env, "LSB_DJOB_RANKFILE");
  std::ifstream file(path);
  if (!file)
    throw Error(ErrorCode::environment_invalid, "LSF: LSB_DJOB_RANKFILE names '" + path + "', which cannot be read");
  std::vector<std::string> hosts;
  for (std::string line; std::getline(file, line);) hosts.push_back(trim(line));
  if (!hosts.empty()) hosts.erase(hosts.begin());
  if (hosts.empty()) throw Error(ErrorCode::environment_invalid, "LSF: '" + path + "' names no host");
  return hosts;
}

std::string lsf_address(const Env& env) { return lsf_hosts(env).front(); }

int64_t lsf_port(const Env& env) {
  if (env.count(port_variable)) return required_integer<port_variable>(env);
  return integer(required(env, "LSB_JOBID"), "LSB_JOBID") % 1000 + 10000;
}

int64_t lsf_node(const Env& env) {
  const std::string name = host_name();
  std::vector<std::string> seen;
  for (const auto& host : lsf_hosts(env)) {
    if (host == name) return static_cast<int64_t>(seen.size());
    if (std::find(seen.begin(), seen.end(), host) == seen.end()) seen.push_back(host);
  }
  throw Error(ErrorCode::environment_invalid, "LSF: LSB_DJOB_RANKFILE does not name this host, " + name);
}

void check_lsf(const Env& env) {
  lsf_hosts(env);
  lsf_port(env);
  lsf_node(env);
}

// MPI, with the variables of Open MPI

constexpr const char* mpi_size = "OMPI_COMM_WORLD_SIZE";
constexpr const char* mpi_rank = "OMPI_COMM_WORLD_RANK";
constexpr const char* mpi_local = "OMPI_COMM_WORLD_LOCAL_RANK";
constexpr const char* mpi_node = "OMPI_COMM_WORLD_NODE_RANK";

// The table

const std::vector<ClusterEnvironment> table = {
    {"TorchElastic", false, [](const Env& env) { return env.count("TORCHELASTIC_RUN_ID") != 0; }, nothing,
     master_or_localhost, [](const Env& env) { return integer_or(env, port_variable, usual_port); },
     required_size<size_variable>, required_integer<rank_variable>, required_integer<local_variable>,
     [](const Env& env) { return integer_or(env, "GROUP_RANK", 0); }, always},
    {"SLURM", false, started_by_srun, check_slurm, slurm_address, slurm_port, required_size<slurm_tasks>,
     required_integer<slurm_rank>, required_integer<slurm_local>, required_integer<slurm_node>, always},
    {"LSF", false, started_by_jsrun, check_lsf, lsf_address, lsf_port, required_size<lsf_size>,
     required_integer<lsf_rank>, required_integer<lsf_local>, lsf_node, always},
    {"MPI", false, [](const Env& env) { return integer_or(env, mpi_size, 1) > 1; }, nothing, master_or_localhost,
     [](const Env& env) { return integer_or(env, port_variable, usual_port); }, required_size<mpi_size>,
     required_integer<mpi_rank>, required_integer<mpi_local>, required_integer<mpi_node>, always},
    {"Lightning", false, always, nothing, master_or_localhost,
     [](const Env& env) { return integer_or(env, port_variable, 0); },
     [](const Env&) { return std::optional<int64_t>(1); }, zero,
     [](const Env& env) { return integer_or(env, local_variable, 0); },
     [](const Env& env) { return integer_or(env, "NODE_RANK", integer_or(env, "GROUP_RANK", 0)); },
     [](const Env& env) { return env.count(local_variable) != 0; }},
    {"Kubeflow", true, by_hand_only, nothing, master, required_integer<port_variable>, required_size<size_variable>,
     required_integer<rank_variable>, zero, required_integer<rank_variable>, always},
};

}  // namespace

const std::vector<ClusterEnvironment>& cluster_environments() { return table; }

const ClusterEnvironment& detected_environment(const Env& variables) {
  return *std::find_if(table.begin(), table.end(),
                       [&](const ClusterEnvironment& e) { return !e.by_hand && e.detect(variables); });
}

}  // namespace levin::core
