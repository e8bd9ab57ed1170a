#include <cstdio>
#include <ctime>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "host/cli/commands.hpp"
#include "host/submit/planned_runs.hpp"
#include "host/submit/sbatch_script.hpp"
#include "launch/slurm/sbatch.hpp"
#include "runs/submission.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Creates the submission's folder. Returns false if it already exists because another process has created it.
bool claim(const PlannedRuns& plan) {
  std::error_code problem;
  fs::create_directories(plan.folder.parent_path(), problem);
  const bool made = !problem && fs::create_directory(plan.folder, problem);
  if (problem)
    throw Error(ErrorCode::file_not_written, plan.folder.string() + ": " + problem.message() +
                                                 "; give another folder with --trainer.default_root_dir");
  sync_file(plan.folder.parent_path());
  return made || !plan.new_folder;
}

Submission record_of(const SubmitArguments& arguments, const PlannedRuns& plan, const std::string& where) {
  Submission out;
  out.command = plan.arguments;
  out.where = where;
  for (const GridAxis& axis : arguments.grid) out.options.push_back(axis.option);
  for (const PlannedRun& run : plan.runs)
    out.runs.push_back({run.folder.lexically_relative(plan.folder).string(), run.values});
  out.created = std::time(nullptr);
  return out;
}

void submit(const PlannedRuns& plan, Submission& record, const std::string& sbatch, const SbatchOptions& options) {
  try {
    forget_surrounding_job();
    fs::current_path(plan.folder);  // where the job begins
    record.job = call_sbatch(sbatch, submission_script, sbatch_words(options));
  } catch (const Error& e) {
    record.problem = e.what();
  }
  save_submission(plan.folder, record);
  if (!record.problem.empty())
    throw Error(ErrorCode::cluster_refused,
                record.problem + "; the script is " + (plan.folder / submission_script).string());
}

std::string output_of(const SbatchOptions& options, const std::string& job) {
  for (const auto& [name, value] : options) {
    if (name != "output") continue;
    if (value == "slurm-%j.out") return "slurm-" + job + ".out";
    return value == "slurm-%A_%a.out" ? "slurm-" + job + "_*.out" : value;
  }
  return "";
}

void tell(const PlannedRuns& plan, const Submission& record, const SbatchOptions& options) {
  const std::string count = record.is_grid() ? std::to_string(plan.runs.size()) + " runs" : "one run";
  std::printf("submitted job %s: %s\n", record.job.c_str(), count.c_str());
  std::printf("run     %s\n", record.is_grid() ? (plan.folder / "version_*").c_str() : plan.runs[0].folder.c_str());
  std::printf("script  %s\n", (plan.folder / submission_script).c_str());
  std::printf("output  %s\n", (plan.folder / output_of(options, record.job)).c_str());
  std::printf("table   %s runs %s\n", command_name(),
              record.is_grid() ? plan.folder.c_str() : plan.runs[0].folder.c_str());
}

}  // namespace

int submit_command(const std::vector<std::string>& arguments) {
  const SubmitArguments given = read_submit_arguments(arguments);
  const std::string where = fs::current_path().string();
  PlannedRuns plan = plan_runs(given);
  for (const std::string& warning : plan.warnings) print_message("warning", warning);
  const std::string sbatch = given.dry_run ? "" : find_sbatch();
  while (!given.dry_run && !claim(plan)) plan = plan_runs(given);
  const SbatchOptions options = sbatch_options(given, plan.job);
  const std::string script = sbatch_script(plan, options, {exe_path().string(), where});
  if (given.dry_run) {
    std::fputs(script.c_str(), stdout);
    return 0;
  }
  write_file_durable(plan.folder / submission_script, script);
  Submission record = record_of(given, plan, where);
  save_submission(plan.folder, record);
  submit(plan, record, sbatch, options);
  tell(plan, record, options);
  return 0;
}

}  // namespace levin::core
