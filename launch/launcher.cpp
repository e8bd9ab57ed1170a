#include "launch/launcher.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <random>

#include "core/base/error.hpp"
#include "core/base/paths.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/event_loop.hpp"
#include "launch/nodes/remote_node.hpp"
#include "launch/output/terminal.hpp"
#include "launch/ranks/engine_environment.hpp"
#include "launch/world_run.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

// Returns the variables that ranks on other machines get from this one: variables of the host and of compute and
// communication libraries.
EnvironmentVariables passed_variables() {
  EnvironmentVariables out;
  for (const auto& [name, value] : environment_variables())
    for (const char* prefix : {"LEVIN_", "OMP_", "MKL_", "OPENBLAS_", "MALLOC_", "NCCL_", "GLOO_", "TORCH_", "MASTER_"})
      if (starts_with(name, prefix)) out[name] = value;
  return out;
}

std::string new_rendezvous() {
  std::random_device random;
  return std::to_string(random()) + "-" + std::to_string(random());
}

std::vector<WorldNode> nodes_of(const RunConfig& config, const WorldPlan& plan, const Programs& programs, int restart) {
  std::vector<WorldNode> out;
  NodeTask task;
  task.engine = programs.engine;
  task.run_config = to_json(config).dump();
  task.nodes = static_cast<int>(plan.machines.size());
  task.ranks = plan.ranks_each;
  task.world = plan.world();
  task.master_address = plan.master_address;
  task.rendezvous = new_rendezvous();
  task.restart = restart;
  if (config.trainer.at("num_threads").is_number()) task.threads = config.trainer.at("num_threads").get<int>();
  task.quiet = config.verbosity <= verbosity_quiet;
  for (const auto& machine : plan.machines) {
    out.push_back({task, machine.name, {}, programs.agent.front()});
    if (!machine.is_this) {
      out.back().ssh = ssh_command(programs.ssh_command, machine.name, programs.agent);
      out.back().task.passed = passed_variables();
      out.back().task.folder = std::filesystem::current_path().string();
    }
    ++task.node;
    task.first_rank += task.ranks;
  }
  return out;
}

std::string counted(int n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : ends_with(what, "s") ? "es" : "s");
}

void say_what_starts(const RunConfig& config, const WorldPlan& plan) {
  if (config.verbosity <= verbosity_quiet || plan.world() == 1) return;
  const auto& given = config.trainer.at("num_threads");
  EnvironmentVariables variables = environment_variables();
  if (given.is_number()) variables["OMP_NUM_THREADS"] = std::to_string(given.get<int>());
  const bool by_user = variables.count("OMP_NUM_THREADS") != 0;
  add_engine_variables(variables, plan.ranks_each);
  const std::string threads = variables.at("OMP_NUM_THREADS");
  const std::string machines =
      plan.machines.size() == 1 ? "" : " on " + counted(static_cast<int>(plan.machines.size()), "machine");
  print_line(2, "host: " + counted(plan.world(), "process") + machines + ", " + threads +
                    (threads == "1" ? " thread each" : " threads each") +
                    (by_user ? "" : " (" + counted(usable_cpus(), "CPU") + " here; --trainer.num_threads changes it)"));
}

void say_restart(const WorldEnd& end, const RunConfig& next, int restart, int64_t most, milliseconds pause) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(pause + milliseconds(999)).count();
  const std::string when =
      pause.count() == 0 ? "" : " in " + std::to_string(seconds) + " s, as node " + end.lost_machine + " was lost";
  print_line(2, "host: warning: restart " + std::to_string(restart) + " of " + std::to_string(most) + when + ": " +
                    (next.resume && end.saved ? "resumes from the last checkpoint of " + *next.resume
                     : next.resume ? "starts from the beginning in " + *next.resume + ", which has no checkpoint yet"
                                   : "starts from the beginning"));
}

void say_way_on(const WorldEnd& end, const WorldPlan& plan) {
  if (!end.cause || !end.saved) return;
  const bool is_here = plan.machines.front().is_this || is_present(end.run_folder);
  print_line(2, "host: resume with" + (is_here ? "" : ", on " + plan.machines.front().name) + ": host resume " +
                    end.run_folder);
}

struct FinishedOutput {
  ~FinishedOutput() { finish_output(); }
};

}  // namespace

using std::chrono::milliseconds;

bool may_restart(const WorldEnd& end) {
  if (!end.cause || end.asked_to_stop) return false;
  for (const ErrorKind kind :
       {ErrorKind::usage, ErrorKind::plugin, ErrorKind::data, ErrorKind::checkpoint, ErrorKind::non_finite})
    if (end.cause->code == static_cast<int>(kind)) return false;
  return true;
}

// Looks for the checkpoint index in the folder. A new run in an old folder moves the old index aside. For a resumed run
// that was started from a chosen checkpoint, only rank 0's report counts, because the index may list older checkpoints.
// A resumed run whose folder is on another machine has a checkpoint.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end) {
  if (end.said_saved || end.run_folder.empty()) return end.said_saved;
  if (begun.resume && begun.ckpt_path) return false;
  const std::filesystem::path folder = end.run_folder;
  return is_present(folder / "checkpoints/index.json") || (begun.resume && !is_present(folder));
}

RunConfig restarted(RunConfig config, const WorldEnd& end) {
  // Runs that do not train start from the beginning, and so do runs that failed before they had a folder.
  if (end.run_folder.empty() || !fits(config.command)) return config;
  // A resumed run saves newly given options only after they have completed a batch.
  config.takes_saved_options = !config.resume || end.said_saved;
  config.resume = end.run_folder;
  // Without a checkpoint of its own, the run starts from its original checkpoint, in the same folder.
  if (end.saved) config.ckpt_path.reset(), config.ckpt_run.reset();
  return config;
}

milliseconds RestartPause::after(const WorldEnd& attempt) {
  const bool had_begun = !attempt.run_folder.empty();
  last_ = attempt.lost_machine.empty()      ? milliseconds(0)
          : last_.count() == 0 || had_begun ? first_
                                            : std::min(2 * last_, 16 * first_);
  return last_;
}

int wait_for_signal(const SignalSource& signals, milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    for (const int signal : signals.read()) {
      if (signal == SIGTSTP) ::kill(::getpid(), SIGSTOP);  // continues after SIGCONT
      if (signal != SIGTSTP && signal != SIGCHLD) return signal;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return 0;
    pollfd come{signals.fd(), POLLIN, 0};
    ::poll(&come, 1, static_cast<int>(std::min(left.count() + 1, milliseconds(500).count())));
    flush_output();
  }
}

int launch_world(const RunConfig& config, const WorldPlan& plan, const Programs& programs, Patience patience) {
  check_threads_variable(environment_variables());
  say_what_starts(config, plan);
  const SignalSource signals({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU, SIGTSTP});
  const FinishedOutput finished;
  const int64_t most = config.trainer.value("max_restarts", int64_t{0});
  RestartPause pauses(patience.to_return);
  RunConfig next = config;
  WorldEnd known;
  for (int restart = 0;; ++restart) {
    WorldEnd end = WorldRun(signals, nodes_of(next, plan, programs, restart), patience).run();
    const milliseconds pause = pauses.after(end);
    // An attempt that failed early has not reported what earlier attempts reported.
    if (end.run_folder.empty()) end.run_folder = known.run_folder;
    if (end.run_folder == known.run_folder) end.said_saved = end.said_saved || known.said_saved;
    end.saved = has_checkpoint(config, end);
    known = end;
    if (restart >= most || !may_restart(end)) {
      say_way_on(end, plan);
      return end.code;
    }
    next = restarted(config, end);
    say_restart(end, next, restart + 1, most, pause);
    if (const int signal = wait_for_signal(signals, pause); signal != 0) {
      print_line(2, std::string("host: warning: ") + name_of_signal(signal) + ": no more restarts");
      say_way_on(end, plan);
      return 128 + signal;
    }
  }
}

}  // namespace levin::core
