#include "host/cli/launch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "core/plugin/child.hpp"
#include "host/cli/memory_limit.hpp"
#include "host/launcher/common/descriptor.hpp"
#include "host/launcher/launcher.hpp"
#include "host/launcher/ranks/engine_environment.hpp"

namespace levin::core {
namespace {

std::string engine_path() {
  return (exe_path().parent_path().parent_path() / "libexec" / "levin" / "host-engine").string();
}

// The file descriptor stays open in the engine.
int inherited_file(const std::string& bytes) {
  const int fd = file_in_memory(bytes).release();
  ::fcntl(fd, F_SETFD, 0);
  return fd;
}

// Sets environment variables for speed, unless the user has set them.
void set_default_environment() {
  EnvironmentVariables variables = environment_variables();
  check_threads_variable(variables);
  add_engine_variables(variables);
  add_blas_variables(variables, engine_path());
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 0);
}

// Returns true if the parent, a launcher, may use more CPUs than this process: then it has assigned CPUs to this
// process.
bool has_own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(::getppid(), sizeof set, &set) == 0 && CPU_COUNT(&set) > usable_cpus();
}

// Limits the threads of processes started by another launcher, which does not divide a machine's CPUs among its
// processes.
void divide_cpus(const RunConfig& config) {
  const World world = world_of(environment_variables());
  EnvironmentVariables threads = environment_variables();
  add_engine_variables(threads, has_own_cpus() ? 1 : world.local_size);
  const std::string number = threads.at("OMP_NUM_THREADS");
  ::setenv("OMP_NUM_THREADS", number.c_str(), 0);
  if (world.several() && world.is_first() && config.verbosity > verbosity_quiet)
    std::fprintf(stderr, "host: %d processes, %s %s each\n", world.size, number.c_str(),
                 number == "1" ? "thread" : "threads");
}

// Blocks the stop signals from now on: they are handled by the engine or the launcher, and must not change the exit
// code after either has ended.
void hold_stop_signals() {
  const sigset_t held = stop_signal_set();
  ::sigprocmask(SIG_BLOCK, &held, nullptr);
}

[[noreturn]] void become_engine(const RunConfig& config) {
  const auto& threads = config.trainer.at("num_threads");
  if (!threads.is_null()) ::setenv("OMP_NUM_THREADS", std::to_string(threads.get<int64_t>()).c_str(), 1);
  divide_cpus(config);
  const int fd = inherited_file(to_json(config).dump());
  hold_stop_signals();
  launch_engine({"--run-config-fd", std::to_string(fd)});
}

// Runs the engine, because this process has no LibTorch.
int count_gpus() {
  const ChildResult answer = run_child({engine_path(), "--count-gpus"}, std::chrono::seconds(120));
  if (answer.exit_code == 0) return std::atoi(answer.out.c_str());
  throw Error(ErrorKind::run, "cannot count the GPUs of this machine: " + trim(answer.err));
}

void refuse_replicas_in(int processes) {
  if (processes > 1)
    throw Error(ErrorKind::usage, "trainer.strategy=dp is one process with all devices, and there are " +
                                      std::to_string(processes) + " processes; use ddp");
}

// Divides the CPUs among the replicas of the model.
void divide_cpus_among_replicas(const RunConfig& config) {
  const int replicas = replicas_of(config.trainer, count_gpus);
  if (replicas <= 1) return;
  refuse_replicas_in(world_of(environment_variables()).size);
  EnvironmentVariables threads = environment_variables();
  if (const auto& given = config.trainer.at("num_threads"); !given.is_null())
    threads["OMP_NUM_THREADS"] = std::to_string(given.get<int64_t>());
  add_engine_variables(threads, replicas);
  const std::string number = threads.at("OMP_NUM_THREADS");
  ::setenv("OMP_NUM_THREADS", number.c_str(), 0);
  if (config.verbosity > verbosity_quiet)
    std::fprintf(stderr, "host: %d replicas of the model, %s %s each\n", replicas, number.c_str(),
                 number == "1" ? "thread" : "threads");
}

// Drops MASTER_PORT, which is the rendezvous of the parent's run.
void leave_run_of_parent() {
  ::unsetenv("MASTER_PORT");
  ::setenv(parent_rank_variable, rank_said_by(environment_variables()).c_str(), 1);
}

}  // namespace

int launch_run(RunConfig config, const LaunchArguments& arguments) {
  if (is_child_of_rank(environment_variables())) leave_run_of_parent();
  divide_cpus_among_replicas(config);
  if (is_launched(environment_variables())) {
    if (arguments.any())
      throw Error(ErrorKind::usage,
                  "--hosts, --hostfile and --ssh_command are for the host's own launcher, and another one has started "
                  "this process (RANK and WORLD_SIZE are set); leave them out");
    become_engine(config);
  }
  const WorldPlan plan = plan_world(config, arguments, count_gpus);
  if (config.trainer.value("strategy", "") == "dp") refuse_replicas_in(plan.world());
  const bool stays = config.trainer.value("max_restarts", int64_t{0}) > 0;
  if (plan.world() == 1 && plan.machines.front().is_this && !stays) become_engine(config);
  check_memory_limit(engine_path());
  std::fflush(nullptr);
  hold_stop_signals();
  return launch_world(config, plan, {{engine_path()}, {exe_path().string(), "__node"}, arguments.ssh_command});
}

void launch_check(const nlohmann::json& request) {
  const int fd = inherited_file(request.dump());
  launch_engine({"--check-fd", std::to_string(fd)});
}

void launch_export(const nlohmann::json& request) {
  const int fd = inherited_file(request.dump());
  launch_engine({"--export-fd", std::to_string(fd)});
}

void launch_engine(const std::vector<std::string>& arguments) {
  set_default_environment();
  const std::string engine = engine_path();
  check_memory_limit(engine);
  std::vector<char*> argv = {const_cast<char*>("host-engine")};
  for (const auto& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(engine.c_str(), argv.data());
  throw Error(ErrorKind::internal,
              "cannot start the engine, which is a part of the installation, " + engine + ": " + std::strerror(errno));
}

}  // namespace levin::core
