#include "sweep/run/trial_run.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/environment.hpp"
#include "core/base/error_line.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "launch/ranks/spawn.hpp"
#include "runs/metric_history.hpp"
#include "runs/run_files.hpp"
#include "runs/run_row.hpp"
#include "sweep/run/host_program.hpp"

namespace levin::core::sweep {
namespace {

namespace fs = std::filesystem;

EnvironmentVariables environment_of(const RunPlan& plan) {
  EnvironmentVariables out = environment_variables();
  if (plan.engine.is_remote()) return out;
  const size_t cpus = std::max(1u, std::thread::hardware_concurrency());
  if (plan.side_by_side > 1 && !has_threads_of_user(out))
    out["OMP_NUM_THREADS"] = std::to_string(std::max<size_t>(1, cpus / plan.side_by_side));
  if (!plan.gpus.empty()) out["CUDA_VISIBLE_DEVICES"] = plan.gpus;
  return out;
}

// The words of a run and of its continuation.
void add_common_words(const RunPlan& plan, std::vector<std::string>& out) {
  out.insert(out.end(), plan.secrets.begin(), plan.secrets.end());
  if (plan.epochs > 0) out.push_back("--trainer.max_epochs=" + std::to_string(plan.epochs));
}

std::vector<std::string> words_of(const RunPlan& plan) {
  if (plan.engine.is_remote()) return words_of_job(plan);
  std::vector<std::string> out = is_present(plan.folder / "config.json") ? words_of_resume(plan) : words_of_start(plan);
  out.insert(out.begin(), host_program());
  return out;
}

std::vector<std::string> names_of_metrics(const std::map<std::string, MetricHistory>& metrics) {
  std::vector<std::string> out;
  for (const auto& [name, history] : metrics) out.push_back(name);
  return out;
}

}  // namespace

std::vector<std::string> words_of_start(const RunPlan& plan) {
  std::vector<std::string> out = {"fit"};
  out.insert(out.end(), plan.command.begin(), plan.command.end());
  out.insert(out.end(), plan.values.begin(), plan.values.end());
  out.insert(out.end(), {"--trainer.default_root_dir=" + plan.root, "--trainer.log_name=" + plan.log_name,
                         "--trainer.log_version=" + plan.name});
  if (!plan.first_weights.empty()) out.push_back("--model.init_from=" + plan.first_weights.string());
  add_common_words(plan, out);
  return out;
}

std::vector<std::string> words_of_resume(const RunPlan& plan) {
  std::vector<std::string> out = {"resume", plan.folder.string()};
  add_common_words(plan, out);
  return out;
}

pid_t start_run(const RunPlan& plan) {
  const fs::path file = plan.engine.is_remote() ? plan.engine.folder / "job.txt" : plan.output;
  fs::create_directories(file.parent_path());
  const Descriptor output(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!output.open()) throw Error(ErrorCode::file_not_written, file.string() + " cannot be written");
  Spawn what;
  what.command = words_of(plan);
  what.environment = environment_of(plan);
  what.out = what.err = output.get();
  sigemptyset(&what.blocked);
  return spawn(what);
}

RunResult read_result(const fs::path& folder, const std::string& metric, bool maximizes) {
  RunResult out;
  const RunRow row = read_run(folder, folder.filename().string());
  if (row.state == RunState::not_submitted) return out;
  out.how = row.state == RunState::done     ? RunResult::How::done
            : row.state == RunState::failed ? RunResult::How::failed
                                            : RunResult::How::interrupted;
  out.problem = row.problem;
  out.code = row.code;
  const std::map<std::string, MetricHistory> metrics = read_metric_history(folder);
  const auto found = metrics.find(metric);
  if (found != metrics.end())
    for (size_t i = 0; i < found->second.values.size(); ++i) {
      const double value = found->second.values[i], epoch = found->second.epochs[i];
      if (!std::isfinite(value)) continue;
      if (std::isfinite(epoch)) out.at_epoch[static_cast<int64_t>(epoch) + 1] = value;
      if (!out.value || (maximizes ? value > *out.value : value < *out.value)) out.value = value;
    }
  if (out.how != RunResult::How::done || out.value) return out;
  out.how = RunResult::How::failed;
  out.problem = metrics.empty() ? "the run has logged no metrics; a sweep needs the logger csv, jsonl or tensorboard"
                : found != metrics.end() ? "no value of " + metric + " is finite"
                                         : unknown_name("the run has logged no", metric, names_of_metrics(metrics));
  return out;
}

bool was_stopped(int status) {
  return WIFSIGNALED(status) || WEXITSTATUS(status) == exit_saved || WEXITSTATUS(status) > 128;
}

std::string way_of_ending(int status) {
  if (WIFSIGNALED(status)) return "its process was killed by " + signal_name(WTERMSIG(status));
  return "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
}

ErrorText last_problem(const fs::path& output) {
  const std::string text = end_of_file(output, 65536);
  if (ErrorText error = last_error_line(text)) return error;
  ErrorText last;
  for (const std::string& line : split(text, '\n'))
    if (!trim(line).empty()) last.message = trim(line);
  return last;
}

fs::path last_checkpoint(const fs::path& folder) { return ckpt::newest_whole(folder); }

}  // namespace levin::core::sweep
