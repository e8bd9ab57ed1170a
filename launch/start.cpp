#include "launch/start.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/base/emergency_output.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "core/plugin/child.hpp"
#include "launch/common/descriptor.hpp"
#include "launch/launcher.hpp"
#include "launch/memory_limit.hpp"
#include "launch/ranks/engine_environment.hpp"

namespace levin::core {
namespace {

std::string engine_path() { return (libexec_dir() / "host-engine").string(); }

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
  for (const char* name : {blas_core_variable, chosen_core_variable}) ::unsetenv(name);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 0);
}

// Returns true if the parent, a launcher, may run on more CPUs than this process: then it has assigned CPUs to this
// process. A limit of a container holds for all processes together, so it does not count.
bool has_own_cpus() { return cpus_of_affinity(::getppid()) > cpus_of_affinity(0); }

// Sets OMP_NUM_THREADS to an equal share of the CPUs, unless the user has set it, and prints it.
void divide_cpus(const RunConfig& config, int shares, int shown, const char* what) {
  EnvironmentVariables threads = environment_variables();
  add_engine_variables(threads, shares);
  const std::string number = threads.at("OMP_NUM_THREADS");
  ::setenv("OMP_NUM_THREADS", number.c_str(), 0);
  if (!has_threads_of_user(threads)) ::setenv(chosen_threads_variable, number.c_str(), 1);
  if (shown > 1 && config.verbosity > verbosity_quiet)
    print_message(
        "", std::to_string(shown) + " " + what + ", " + number + (number == "1" ? " thread each" : " threads each"));
}

void use_given_threads(const RunConfig& config) {
  const auto& threads = config.trainer.at("num_threads");
  if (threads.is_null()) return;
  for (const char* name : {"OMP_NUM_THREADS", chosen_threads_variable})
    ::setenv(name, std::to_string(threads.get<int64_t>()).c_str(), 1);
}

// Blocks the stop signals from now on: they are handled by the engine or the launcher, and must not change the exit
// code after either has ended.
void hold_stop_signals() {
  const sigset_t held = stop_signal_set();
  ::sigprocmask(SIG_BLOCK, &held, nullptr);
}

[[noreturn]] void become_engine(const RunConfig& config) {
  use_given_threads(config);
  // Another launcher does not divide a machine's CPUs among its processes.
  const World world = world_of(environment_variables());
  divide_cpus(config, has_own_cpus() ? 1 : world.local_size, world.is_first() ? world.size : 1, "processes");
  const int fd = inherited_file(to_json(config).dump());
  hold_stop_signals();
  launch_engine({"--run-config-fd", std::to_string(fd)});
}

// Runs the engine, because this process has no LibTorch.
int count_gpus() {
  const ChildResult answer = run_child({engine_path(), "--count-gpus"}, std::chrono::seconds(120));
  if (answer.exit_code == 0) return std::atoi(answer.out.c_str());
  throw Error(ErrorCode::tool_failed, "cannot count the GPUs of this machine: " + trim(answer.err));
}

void refuse_parallel_parts_in(int processes, const std::string& strategy) {
  if (processes > 1 && facts_of(strategy).parallel)
    refuse_several_processes(strategy, "there are " + std::to_string(processes) + " processes");
}

void divide_cpus_among_parallel_parts(const RunConfig& config) {
  const int parts = parallel_parts(config.trainer, count_gpus);
  if (parts <= 1) return;
  const std::string strategy = config.trainer.at("strategy");
  refuse_parallel_parts_in(world_of(environment_variables()).size, strategy);
  use_given_threads(config);
  divide_cpus(config, parts, parts, (std::string(facts_of(strategy).parallel) + " of the model").c_str());
}

// Drops MASTER_PORT, which is the rendezvous of the parent's run.
void leave_run_of_parent() {
  ::unsetenv("MASTER_PORT");
  ::setenv(parent_rank_variable, rank_said_by(environment_variables()).c_str(), 1);
}

extern "C" void on_early_signal(int signal) { end_before_run(signal); }

}  // namespace

int launch_run(RunConfig config, const LaunchArguments& arguments) {
  if (is_child_of_rank(environment_variables())) leave_run_of_parent();
  divide_cpus_among_parallel_parts(config);
  if (is_launched(environment_variables())) {
    if (arguments.any())
      throw Error(ErrorCode::options_conflict,
                  "--hosts, --hostfile and --ssh_command are options of the host's own launcher, but another launcher "
                  "has started this process (RANK and WORLD_SIZE are set); leave them out");
    become_engine(config);
  }
  const WorldPlan plan = plan_world(config, arguments, count_gpus);
  refuse_parallel_parts_in(plan.world(), config.trainer.value("strategy", ""));
  const bool stays = config.trainer.value("max_restarts", int64_t{0}) > 0;
  if (plan.world() == 1 && plan.machines.front().is_this && !stays) become_engine(config);
  check_memory_limit(engine_path());
  std::fflush(nullptr);
  hold_stop_signals();
  return launch_world(config, plan, {{engine_path()}, {exe_path().string(), "__node"}, arguments.ssh_command});
}

void launch_engine(const char* option, const nlohmann::json& request) {
  launch_engine({option, std::to_string(inherited_file(request.dump()))});
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
  throw Error(ErrorCode::installation_incomplete,
              "cannot start the engine, which is a part of the installation, " + engine + ": " + std::strerror(errno));
}

void end_on_stop_signals() {
  for (const int signal : stop_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = &on_early_signal;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace levin::core
