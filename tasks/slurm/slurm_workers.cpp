#include "tasks/slurm/slurm_workers.hpp"

#include <algorithm>
#include <fstream>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "launch/common/shell_quote.hpp"
#include "launch/slurm/sbatch.hpp"
#include "runs/run_state.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr seconds ask_squeue_every{10}, ask_after_loss{2};
constexpr int most_empty_arrays = 3;

std::string program(const char* name) {
  const std::string found = find_program(environment_variables(), name);
  if (found.empty())
    throw Error(ErrorCode::program_missing,
                std::string("host tasks: there is no program ") + name +
                    " in PATH, so this machine cannot submit SLURM jobs; --engine local uses its "
                    "own processors");
  return found;
}

// An option that would change what is submitted is refused.
void check_option_of_sbatch(const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  const std::string refused = "host tasks: --sbatch " + text + ": ";
  if (name.size() < 2 || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos || name[0] == '-')
    throw Error(ErrorCode::option_value_invalid,
                refused + "name an option of sbatch by its long name: --sbatch KEY=VALUE");
  for (const char* own : {"array", "job-name", "output", "wrap", "parsable", "chdir", "wait", "test-only", "open-mode"})
    if (name == own) throw Error(ErrorCode::option_value_invalid, refused + "host tasks sets it itself");
}

}  // namespace

void require_slurm(const std::vector<std::string>& options) {
  for (const char* name : {"sbatch", "squeue", "scancel"}) program(name);
  for (const std::string& option : options) check_option_of_sbatch(option);
  forget_surrounding_job();
}

bool is_slurm(const std::string& engine) { return engine == "slurm" || engine == "slurm_files"; }

Capacity slurm_capacity(const JobSettings& settings) {
  const auto given = [](int64_t number, uint64_t usual) { return number < 0 ? usual : static_cast<uint64_t>(number); };
  return {{1, given(settings.cpus, 1), given(settings.gpus, 0), given(settings.memory_total, 0)},
          read_labels(settings.labels)};
}

SlurmPlan slurm_plan(const JobSettings& settings, const JobFiles& files, const std::string& id) {
  SlurmPlan out;
  out.folder = files.folder / "slurm";
  out.name = "levin-tasks-" + id;
  out.workers = static_cast<size_t>(settings.workers);
  out.options = settings.sbatch;
  const auto ask = [&](int64_t number, const std::string& option, std::initializer_list<const char*> same) {
    const auto says = [&](const std::string& text) {
      return std::any_of(same.begin(), same.end(), [&](const char* name) { return text.find(name) == 0; });
    };
    if (number > 0 && std::none_of(settings.sbatch.begin(), settings.sbatch.end(), says))
      out.options.push_back(option + std::to_string(number));
  };
  ask(settings.cpus, "cpus-per-task=", {"cpus-per-task="});
  ask(settings.gpus, "gres=gpu:", {"gres=", "gpus"});
  ask(settings.memory_total, "mem=", {"mem=", "mem-per-"});
  return out;
}

SlurmWorkers::SlurmWorkers(SlurmPlan plan) : plan_(std::move(plan)) {
  fs::create_directories(plan_.folder);
  cancel();
  submit();
}

void SlurmWorkers::submit() {
  const fs::path script = plan_.folder / "workers.sh";
  write_file_durable(script,
                     "#!/bin/sh\n# The workers of a job of host tasks.\n"
                     "export OMP_NUM_THREADS=${OMP_NUM_THREADS:-${SLURM_CPUS_PER_TASK:-1}}\nexec " +
                         shell_quote(plan_.command) + "\n");
  std::vector<std::string> words = {"--job-name=" + plan_.name,
                                    "--array=0-" + std::to_string(plan_.workers - 1),
                                    "--output=" + (plan_.folder / "worker_%a.txt").string(),
                                    "--open-mode=append",
                                    "--requeue",
                                    "--chdir=" + fs::current_path().string()};
  for (const std::string& option : plan_.options) words.push_back("--" + option);
  submitted_ = true;  // also if sbatch fails: the job may be queued
  call_sbatch(program("sbatch"), script, words);
  looked_ = Clock::now();
}

void SlurmWorkers::keep_alive() {
  if (Clock::now() - looked_ < ask_squeue_every) return;
  looked_ = Clock::now();
  const ChildResult jobs = run_child({program("squeue"), "-h", "-r", "--name=" + plan_.name, "-o", "%T"}, seconds(10),
                                     ChildEnvironment::same);
  if (jobs.exit_code != 0 || !trim(jobs.out).empty()) return;  // they are there, or SLURM does not answer
  if (++failures_ >= most_empty_arrays) {
    const std::string line = last_line();
    throw Error(ErrorCode::cluster_refused,
                "the workers' SLURM jobs have ended " + std::to_string(most_empty_arrays) + " times without a result" +
                    (line.empty() ? ": do all nodes see the folder " : "; the last line: " + line + "; see ") +
                    plan_.folder.string());
  }
  submit();
}

void SlurmWorkers::has_loss() { looked_ = std::min(looked_, Clock::now() - ask_squeue_every + ask_after_loss); }

void SlurmWorkers::cancel() {
  run_child({program("scancel"), "--name=" + plan_.name}, seconds(20), ChildEnvironment::same);
}

void SlurmWorkers::stop() {
  if (!submitted_) return;
  submitted_ = false;
  try {
    cancel();
  } catch (const std::exception&) {  // the workers end by themselves when the driver is silent
  }
}

std::string SlurmWorkers::last_line() const {
  const std::string text = trim(end_of_file(plan_.folder / "worker_0.txt", 4096));
  return printable(text.substr(text.find_last_of('\n') + 1));
}

}  // namespace levin::core::tasks
