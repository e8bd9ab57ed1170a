#include "host/submit/sbatch_script.hpp"

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "launch/common/shell_quote.hpp"
#include "runs/submission.hpp"

namespace levin::core {
namespace {

// sbatch splits a line at spaces and '#'. Double quotes protect them, and a backslash escapes quotes and backslashes.
std::string directive(const std::string& word) {
  const size_t value = word.find('=') + 1;
  if (value == 0 || word.find_first_of(" \t#\"'\\") == std::string::npos) return "#SBATCH " + word + "\n";
  std::string out = "#SBATCH " + word.substr(0, value) + '"';
  for (const char c : word.substr(value)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"\n";
}

// All options are passed to srun, because what it inherits from the job depends on SLURM's version.
std::vector<std::string> srun_words(const ProcessLayout& layout, const SbatchOptions& options) {
  std::vector<std::string> out = {"srun", "--nodes=" + std::to_string(layout.nodes),
                                  "--ntasks=" + std::to_string(layout.nodes * layout.tasks_per_node),
                                  "--ntasks-per-node=" + std::to_string(layout.tasks_per_node)};
  for (const auto& [name, value] : options)
    if (name == "cpus-per-task") out.push_back("--cpus-per-task=" + value);
  return out;
}

std::string cases(const PlannedRuns& plan) {
  std::string out = "case $SLURM_ARRAY_TASK_ID in\n";
  for (size_t i = 0; i < plan.runs.size(); ++i)
    out += "  " + std::to_string(i) + ") set -- " + shell_quote(plan.runs[i].arguments) + " ;;\n";
  return out + "  *) echo \"there is no run $SLURM_ARRAY_TASK_ID in this grid\" >&2; exit 2 ;;\nesac\n";
}

}  // namespace

std::vector<std::string> sbatch_words(const SbatchOptions& options) {
  std::vector<std::string> out;
  for (const auto& [name, value] : options) out.push_back("--" + name + (value.empty() ? "" : "=" + value));
  return out;
}

std::string sbatch_script(const PlannedRuns& plan, const SbatchOptions& options, const ScriptPaths& paths) {
  const bool grid = !plan.runs.front().arguments.empty();
  std::string out = "#!/bin/sh\n# Written by `host submit`. To submit it again, in this folder: sbatch " +
                    std::string(submission_script) + "\n";
  for (const std::string& word : sbatch_words(options)) out += directive(word);
  out += "\ncd " + shell_word(paths.where) + " || exit 1\n";
  if (grid) out += cases(plan);
  std::vector<std::string> command = srun_words(plan.job.layout, options);
  command.push_back(paths.host);
  command.insert(command.end(), plan.arguments.begin(), plan.arguments.end());
  return out + "exec " + shell_quote(command) + (grid ? " \"$@\"" : "") + "\n";
}

std::string find_sbatch() {
  const std::string sbatch = find_program(environment_variables(), "sbatch");
  if (sbatch.empty())
    throw Error(ErrorCode::program_missing,
                "host submit: there is no program sbatch in PATH, so this machine cannot submit SLURM jobs; --dry_run "
                "prints the script");
  return sbatch;
}

}  // namespace levin::core
