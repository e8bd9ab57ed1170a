#include "host/submit/planned_runs.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/command_line.hpp"
#include "host/commands/command_line_run.hpp"
#include "runs/submission.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

CheckedRun check(const SubmitArguments& arguments, const Words& run) {
  return arguments.command ? checked_run(*arguments.command, run) : checked_resume(run);
}

std::string values_of(const SubmitArguments& arguments, const Words& values) {
  return join(grid_words(arguments.grid, values), " ");
}

std::string in_run(const std::string& which) { return which.empty() ? "" : " (in the run with " + which + ")"; }

// Adds a hint to the error if an option of the job is given among the run's arguments.
CheckedRun check_with_advice(const SubmitArguments& arguments, const Words& run, const std::string& which) try {
  return check(arguments, run);
} catch (const Error& e) {
  std::string advice;
  for (const std::string& name : submit_option_names()) {
    const auto is_it = [&name](const std::string& w) { return w == "--" + name || starts_with(w, "--" + name + "="); };
    if (std::string(e.what()).find("no option --" + name) != std::string::npos &&
        std::any_of(arguments.run.begin(), arguments.run.end(), is_it))
      advice = " (--" + name + " is of the job: host submit --" + name + " ... comes before the command of the run)";
  }
  throw Error(e.code(), e.what() + in_run(which) + advice);
}

ProcessLayout layout_of(const SubmitArguments& arguments, const RunConfig& run, const std::string& which) try {
  return process_layout(arguments, run);
} catch (const Error& e) {
  throw Error(e.code(), e.what() + in_run(which));
}

// Returns the option, with its dashes, that sets this key on the command line; "" if there is none.
std::string word_of(const RunConfig& run, const std::string& key) {
  const auto origin = run.origins.find(key);
  return origin != run.origins.end() && starts_with(origin->second, "--") ? origin->second : "";
}

// Rejects arguments that are not possible in a queued job. The script and the record keep all arguments, so secrets are
// not allowed, and configuration files are read only when the job starts.
void refuse_what_cannot_wait(const SubmitArguments& arguments, const CheckedRun& run) {
  if (run.prints)
    refuse_submit(ErrorCode::option_unsupported, "--print_config and --explain start no run; leave out `submit`");
  const EarlyOptions early = read_early_options(arguments.run);
  if (early.launch.any())
    refuse_submit(
        ErrorCode::option_unsupported,
        "--hosts, --hostfile and --ssh_command name machines, but SLURM chooses the machines of a job; use host submit "
        "--nodes N");
  for (const std::string& file : early.configs)
    if (starts_with(file, "/dev/") || starts_with(file, "/proc/"))
      refuse_submit(ErrorCode::option_value_invalid,
                    "--config " + file + " is gone when the job starts; write it to a file");
  const std::string otherwise = arguments.command
                                    ? "give it in a file that only you can read, with --config FILE"
                                    : "a resumed run takes it only as an argument, so it cannot be resumed in a job";
  for (const std::string& secret : run.config.secrets)
    if (const std::string word = word_of(run.config, secret); !word.empty())
      refuse_submit(ErrorCode::option_unsupported,
                    word + " is a secret, and the script of the job is kept; " + otherwise);
}

void refuse_axes(const SubmitArguments& arguments) {
  for (const GridAxis& axis : arguments.grid) {
    if (is_size_of_job(axis.option))
      refuse_submit(ErrorCode::option_unsupported,
                    "--grid." + axis.option + ": all jobs of an array have the same size; submit each size alone");
    for (const char* name : {"log_name", "log_version", "default_root_dir", "requeue"})
      if (axis.option == name || axis.option == std::string("trainer.") + name)
        refuse_submit(ErrorCode::option_unsupported,
                      "--grid." + axis.option + ": host submit chooses that for each run");
  }
}

fs::path first_free(const fs::path& parent, const std::string& prefix) {
  std::error_code unknown;
  for (int64_t n = 0;; ++n) {
    fs::path folder = parent / (prefix + std::to_string(n));
    if (!fs::exists(fs::symlink_status(folder, unknown))) return folder;
  }
}

// Sets the option's value. Returns false if the option is not among the arguments.
bool replace_value(Words& arguments, const std::string& option, const std::string& value) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == option && i + 1 < arguments.size()) return arguments[i + 1] = value, true;
    if (starts_with(arguments[i], option + "=")) return arguments[i] = option + "=" + value, true;
  }
  return false;
}

// Appends the arguments of the layout to the user's. An argument that leaves the number open, such as --devices -1, is
// replaced.
Words with_layout(Words arguments, const ProcessLayout& layout, const RunConfig& run) {
  for (const std::string& word : layout.arguments) {
    const size_t equals = word.find('=');
    const std::string open = word_of(run, word.substr(2, equals - 2));
    if (open.empty() || !replace_value(arguments, open, word.substr(equals + 1))) arguments.push_back(word);
  }
  return arguments;
}

fs::path folder_of_runs(const RunConfig& run) {
  return absolute_path(run.trainer.at("default_root_dir").get<std::string>()) / run.trainer.value("log_name", "");
}

// Gives every run of a grid a numbered folder in the submission's folder.
void place_grid(const SubmitArguments& arguments, const RunConfig& first, PlannedRuns& plan) {
  if (!first.trainer.at("log_version").is_null())
    refuse_submit(ErrorCode::options_conflict,
                  "--trainer.log_version names one folder, and each run of a grid has its own; leave it out");
  plan.folder = first_free(folder_of_runs(first), "grid_");
  const std::string log_name = (fs::path(first.trainer.value("log_name", "")) / plan.folder.filename()).string();
  for (const char* option : {"log_name", "trainer.log_name"})
    while (take_option(plan.arguments, option)) continue;
  plan.arguments.push_back("--trainer.log_name=" + log_name);
  for (const Words& values : grid_product(arguments.grid)) {
    const std::string number = std::to_string(plan.runs.size());
    plan.runs.push_back({plan.folder / ("version_" + number), values,
                         joined(grid_words(arguments.grid, values), {"--trainer.log_version=" + number})});
  }
}

void place_run(const RunConfig& run, PlannedRuns& plan) {
  const nlohmann::json& version = run.trainer.at("log_version");
  plan.new_folder = version.is_null();
  if (plan.new_folder) {
    plan.folder = first_free(folder_of_runs(run), "submit_");
    plan.arguments.push_back("--trainer.log_version=" + plan.folder.filename().string());
  } else {
    const bool number = version.is_number();
    plan.folder = folder_of_runs(run) / (number ? "version_" + version.dump() : version.get<std::string>());
    for (const char* file : {"config.json", submission_file})
      if (is_present(plan.folder / file))
        refuse_submit(ErrorCode::output_exists, "'" + plan.folder.string() + "' has the " + file +
                                                    " of another run; give this one another " +
                                                    "--trainer.log_version, or none");
  }
  plan.runs.push_back({plan.folder, {}, {}});
}

void place_resumed(const RunConfig& run, PlannedRuns& plan) {
  plan.folder = first_free(*run.resume, "submit_");
  plan.runs.push_back({*run.resume, {}, {}});
}

bool stays_out_of_queue(const SubmitArguments& arguments) {
  return std::any_of(arguments.sbatch.begin(), arguments.sbatch.end(),
                     [](const auto& o) { return o.first == "no-requeue"; });
}

// Returns true if a requeued job resumes its fit: the default, unless the user switches it off.
bool goes_on(const SubmitArguments& arguments, const RunConfig& run) {
  if (stays_out_of_queue(arguments)) return false;
  const bool trains = !arguments.command || arguments.command == Command::run || arguments.command == Command::fit;
  return trains && (run.trainer.value("requeue", false) || run.origins.count("trainer.requeue") == 0);
}

// Sets trainer.requeue so that the run requeues its job only if the job allows it.
void add_requeue(const SubmitArguments& arguments, const RunConfig& run, PlannedRuns& plan) {
  const bool requeue = run.trainer.value("requeue", false);
  const std::string word = word_of(run, "trainer.requeue");
  if (requeue && stays_out_of_queue(arguments) && !word.empty())
    refuse_submit(ErrorCode::options_conflict,
                  "--sbatch no-requeue and " + word + " true contradict each other; leave one of them out");
  if (plan.job.goes_on && !requeue) plan.arguments.push_back("--trainer.requeue=true");
  if (requeue && stays_out_of_queue(arguments)) plan.arguments.push_back("--trainer.requeue=false");
}

std::string size_of(const ProcessLayout& layout) {
  return "--nodes " + std::to_string(layout.nodes) + " --tasks_per_node " + std::to_string(layout.tasks_per_node);
}

// Checks the run with all its arguments, and that its job has the size given in the script.
void check_planned(const SubmitArguments& arguments, const PlannedRuns& plan, const PlannedRun& one) {
  const std::string which = values_of(arguments, one.values);
  const CheckedRun run = check_with_advice(arguments, joined(plan.arguments, one.arguments), which);
  refuse_what_cannot_wait(arguments, run);
  const ProcessLayout& job = plan.job.layout;
  const ProcessLayout own = layout_of(arguments, run.config, which);
  if (own.nodes != job.nodes || own.tasks_per_node != job.tasks_per_node || !own.arguments.empty())
    refuse_submit(ErrorCode::options_conflict, "all jobs of an array have the same size, and the run with " + which +
                                                   " would have " + size_of(own) + ", the first one " + size_of(job) +
                                                   "; submit each size alone");
}

}  // namespace

PlannedRuns plan_runs(const SubmitArguments& arguments) {
  refuse_axes(arguments);
  const Words first =
      arguments.grid.empty() ? Words{} : grid_words(arguments.grid, grid_product(arguments.grid).front());
  const CheckedRun run = check_with_advice(arguments, joined(arguments.run, first), join(first, " "));
  refuse_what_cannot_wait(arguments, run);
  PlannedRuns plan;
  plan.warnings = run.warnings;
  plan.arguments = arguments.run;
  if (!arguments.command)
    place_resumed(run.config, plan);
  else if (arguments.grid.empty())
    place_run(run.config, plan);
  else
    place_grid(arguments, run.config, plan);
  plan.job = {plan.folder.filename().string(), layout_of(arguments, run.config, join(first, " ")), plan.runs.size(),
              goes_on(arguments, run.config)};
  plan.arguments = with_layout(plan.arguments, plan.job.layout, run.config);
  add_requeue(arguments, run.config, plan);
  for (const PlannedRun& one : plan.runs) check_planned(arguments, plan, one);
  plan.arguments = joined(arguments.command_arguments(), plan.arguments);
  return plan;
}

}  // namespace levin::core
