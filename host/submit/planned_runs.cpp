#include "host/submit/planned_runs.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host/command_line.hpp"
#include "host/commands/checked_run.hpp"
#include "host/submit/submission.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

CheckedRun check(const SubmitWords& words, const Words& run) {
  return words.command ? checked_run(*words.command, run) : checked_resume(run);
}

std::string values_of(const SubmitWords& words, const Words& values) {
  return join(grid_words(words.grid, values), " ");
}

std::string in_run(const std::string& which) { return which.empty() ? "" : " (in the run with " + which + ")"; }

// What a run says of an option of the job among its own words gets a hint.
CheckedRun check_with_advice(const SubmitWords& words, const Words& run, const std::string& which) try {
  return check(words, run);
} catch (const Error& e) {
  std::string advice;
  for (const std::string& name : submit_option_names()) {
    const auto is_it = [&name](const std::string& w) { return w == "--" + name || starts_with(w, "--" + name + "="); };
    if (std::string(e.what()).find("no option --" + name) != std::string::npos &&
        std::any_of(words.run.begin(), words.run.end(), is_it))
      advice = " (--" + name + " is of the job: host submit --" + name + " ... comes before the command of the run)";
  }
  throw Error(e.kind(), e.what() + in_run(which) + advice);
}

ProcessLayout layout_of(const SubmitWords& words, const RunConfig& run, const std::string& which) try {
  return process_layout(words, run);
} catch (const Error& e) {
  throw Error(e.kind(), e.what() + in_run(which));
}

// The option, with its dashes, by which the command line gives the run this key; "": it does not.
std::string word_of(const RunConfig& run, const std::string& key) {
  const auto origin = run.origins.find(key);
  return origin != run.origins.end() && starts_with(origin->second, "--") ? origin->second : "";
}

// The script and the record keep every word, and the run reads its files when the job starts.
void refuse_what_cannot_wait(const SubmitWords& words, const CheckedRun& run) {
  if (run.prints) refuse_submit("--print_config starts no run; leave `submit` away");
  const EarlyOptions early = read_early_options(words.run);
  if (early.launch.any())
    refuse_submit(
        "--hosts, --hostfile and --ssh_command name machines by hand, and SLURM chooses those of a job: say "
        "host submit --nodes N");
  for (const std::string& file : early.configs)
    if (starts_with(file, "/dev/") || starts_with(file, "/proc/"))
      refuse_submit("--config " + file + " is gone when the job starts; write it to a file");
  const std::string otherwise = words.command
                                    ? "give it in a file that only you can read, with --config FILE"
                                    : "a run that goes on takes it as a word only, so it cannot go on in such a job";
  for (const std::string& secret : run.config.secrets)
    if (const std::string word = word_of(run.config, secret); !word.empty())
      refuse_submit(word + " is a secret, and the script of the job is kept; " + otherwise);
}

void refuse_axes(const SubmitWords& words) {
  for (const GridAxis& axis : words.grid) {
    if (is_size_of_job(axis.option))
      refuse_submit("--grid." + axis.option + ": the jobs of an array are all of one size; submit each size alone");
    for (const char* name : {"log_name", "log_version", "default_root_dir", "requeue"})
      if (axis.option == name || axis.option == std::string("trainer.") + name)
        refuse_submit("--grid." + axis.option + ": host submit chooses that for each run");
  }
}

fs::path first_free(const fs::path& parent, const std::string& prefix) {
  std::error_code unknown;
  for (int64_t n = 0;; ++n) {
    fs::path folder = parent / (prefix + std::to_string(n));
    if (!fs::exists(fs::symlink_status(folder, unknown))) return folder;
  }
}

// The words without `--NAME VALUE` and `--NAME=VALUE`.
Words without_option(const Words& words, const std::string& name) {
  Words out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--" + name || words[i] == "--trainer." + name)
      ++i;
    else if (!starts_with(words[i], "--" + name + "=") && !starts_with(words[i], "--trainer." + name + "="))
      out.push_back(words[i]);
  }
  return out;
}

// Whether the option is among the words; it has the value then.
bool replace_value(Words& words, const std::string& option, const std::string& value) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) return words[i + 1] = value, true;
    if (starts_with(words[i], option + "=")) return words[i] = option + "=" + value, true;
  }
  return false;
}

// The words of the layout go behind those of the user, or into the one that leaves the number open, as --devices -1.
Words with_layout(Words words, const ProcessLayout& layout, const RunConfig& run) {
  for (const std::string& word : layout.words) {
    const size_t equals = word.find('=');
    const std::string open = word_of(run, word.substr(2, equals - 2));
    if (open.empty() || !replace_value(words, open, word.substr(equals + 1))) words.push_back(word);
  }
  return words;
}

fs::path folder_of_runs(const RunConfig& run) {
  return absolute_path(run.trainer.at("default_root_dir").get<std::string>()) / run.trainer.value("log_name", "");
}

// Every run of a grid has a folder in the submission's, and its number there.
void place_grid(const SubmitWords& words, const RunConfig& first, PlannedRuns& plan) {
  if (!first.trainer.at("log_version").is_null())
    refuse_submit("--trainer.log_version names one folder, and each run of a grid has its own; leave it out");
  plan.folder = first_free(folder_of_runs(first), "grid_");
  const std::string log_name = (fs::path(first.trainer.value("log_name", "")) / plan.folder.filename()).string();
  plan.words = without_option(plan.words, "log_name");
  plan.words.push_back("--trainer.log_name=" + log_name);
  for (const Words& values : grid_product(words.grid)) {
    const std::string number = std::to_string(plan.runs.size());
    plan.runs.push_back({plan.folder / ("version_" + number), values,
                         joined(grid_words(words.grid, values), {"--trainer.log_version=" + number})});
  }
}

// The folder of the script is that of the run.
void place_run(const RunConfig& run, PlannedRuns& plan) {
  const nlohmann::json& version = run.trainer.at("log_version");
  plan.new_folder = version.is_null();
  if (plan.new_folder) {
    plan.folder = first_free(folder_of_runs(run), "submit_");
    plan.words.push_back("--trainer.log_version=" + plan.folder.filename().string());
  } else {
    const bool number = version.is_number();
    plan.folder = folder_of_runs(run) / (number ? "version_" + version.dump() : version.get<std::string>());
    std::error_code unknown;
    for (const char* file : {"config.json", submission_file})
      if (fs::exists(plan.folder / file, unknown))
        refuse_submit("'" + plan.folder.string() + "' has the " + file + " of another run; give this one another " +
                      "--trainer.log_version, or none");
  }
  plan.runs.push_back({plan.folder, {}, {}});
}

void place_resumed(const RunConfig& run, PlannedRuns& plan) {
  plan.folder = first_free(*run.resume, "submit_");
  plan.runs.push_back({*run.resume, {}, {}});
}

bool stays_out_of_queue(const SubmitWords& words) {
  return std::any_of(words.sbatch.begin(), words.sbatch.end(), [](const auto& o) { return o.first == "no-requeue"; });
}

// A fit goes on when its job is started again, unless the user does not want it to.
bool goes_on(const SubmitWords& words, const RunConfig& run) {
  if (stays_out_of_queue(words)) return false;
  const bool trains = !words.command || words.command == Command::run || words.command == Command::fit;
  return trains && (run.trainer.value("requeue", false) || run.origins.count("trainer.requeue") == 0);
}

// The run puts its job back into the queue just when the job may go there.
void add_requeue(const SubmitWords& words, const RunConfig& run, PlannedRuns& plan) {
  const bool requeue = run.trainer.value("requeue", false);
  const std::string word = word_of(run, "trainer.requeue");
  if (requeue && stays_out_of_queue(words) && !word.empty())
    refuse_submit("--sbatch no-requeue and " + word + " true contradict each other; leave one of them out");
  if (plan.job.goes_on && !requeue) plan.words.push_back("--trainer.requeue=true");
  if (requeue && stays_out_of_queue(words)) plan.words.push_back("--trainer.requeue=false");
}

std::string size_of(const ProcessLayout& layout) {
  return "--nodes " + std::to_string(layout.nodes) + " --tasks_per_node " + std::to_string(layout.tasks_per_node);
}

// Checks the run with all its words, and that its job is of the size that the script says.
void check_planned(const SubmitWords& words, const PlannedRuns& plan, const PlannedRun& one) {
  const std::string which = values_of(words, one.values);
  const CheckedRun run = check_with_advice(words, joined(plan.words, one.words), which);
  refuse_what_cannot_wait(words, run);
  const ProcessLayout& job = plan.job.layout;
  const ProcessLayout own = layout_of(words, run.config, which);
  if (own.nodes != job.nodes || own.tasks_per_node != job.tasks_per_node || !own.words.empty())
    refuse_submit("the jobs of an array are all of one size, and the run with " + which + " would have " +
                  size_of(own) + ", the first one " + size_of(job) + "; submit each size alone");
}

}  // namespace

PlannedRuns plan_runs(const SubmitWords& words) {
  refuse_axes(words);
  const Words first = words.grid.empty() ? Words{} : grid_words(words.grid, grid_product(words.grid).front());
  const CheckedRun run = check_with_advice(words, joined(words.run, first), join(first, " "));
  refuse_what_cannot_wait(words, run);
  PlannedRuns plan;
  plan.warnings = run.warnings;
  plan.words = words.run;
  if (!words.command)
    place_resumed(run.config, plan);
  else if (words.grid.empty())
    place_run(run.config, plan);
  else
    place_grid(words, run.config, plan);
  plan.job = {plan.folder.filename().string(), layout_of(words, run.config, join(first, " ")), plan.runs.size(),
              goes_on(words, run.config)};
  plan.words = with_layout(plan.words, plan.job.layout, run.config);
  add_requeue(words, run.config, plan);
  for (const PlannedRun& one : plan.runs) check_planned(words, plan, one);
  plan.words = joined(words.command_words(), plan.words);
  return plan;
}

}  // namespace levin::core
