#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/tuners.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/compose/saved_run.hpp"
#include "launch/start.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns the index of the run folder, or nullopt if there is none. A word after an option that may take a value is
// that value, unless it is the last word and a folder with a config.json.
std::optional<size_t> find_run_folder(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool option = !arguments[i].empty() && arguments[i][0] == '-';
    if (!option && !may_be_value(arguments, i)) return i;
  }
  // For "--fast_dev_run RUN_DIR": the host can tell if an option takes a value only after it has read the saved run.
  std::error_code ignored;
  if (arguments.size() > 1 && std::filesystem::exists(absolute_path(arguments.back()) / "config.json", ignored))
    return arguments.size() - 1;
  return std::nullopt;
}

// Throws Error{usage} for a file. It is probably a checkpoint, so the message suggests the run folder, two levels up.
[[noreturn]] void refuse_file(const fs::path& file) {
  const auto above = file.parent_path().parent_path();
  const std::string run = is_present(above / "config.json") ? above.string() : "RUN_DIR";
  throw Error(ErrorCode::not_a_run_folder, "host resume: '" + file.string() +
                                               "' is a file, not a run folder; use host resume " + run +
                                               " --ckpt_path " + file.string());
}

void refuse_second_folder(const fs::path& first, const std::vector<std::string>& others) {
  for (size_t i = 0; i < others.size(); ++i)
    if (!may_be_value(others, i) && !starts_with(others[i], "-") && is_folder(absolute_path(others[i])))
      throw Error(ErrorCode::argument_unexpected, "host resume takes one run folder, but two are given: " +
                                                      first.string() + ", " + absolute_path(others[i]).string());
}

void refuse_evaluation(const fs::path& folder, const RunConfig& saved) {
  if (fits(saved.command)) return;
  const std::string name = name_of(saved.command), checkpoint = saved.ckpt_path.value_or("");
  throw Error(ErrorCode::run_not_resumable, "host resume: '" + folder.string() + "' is a run of `host " + name +
                                                "`, which trains nothing and cannot be resumed; to repeat it: host " +
                                                name + " --config " + (folder / "config.json").string() +
                                                (checkpoint.empty() ? "" : " --ckpt_path " + checkpoint));
}

// Returns the run folder in this folder whose config.json was written last; "" if there is none.
fs::path newest_run_in(const fs::path& folder) {
  fs::path newest;
  fs::file_time_type written;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown)) {
    std::error_code none;
    const auto time = fs::last_write_time(at->path() / "config.json", none);
    if (none || (!newest.empty() && time <= written)) continue;
    newest = at->path();
    written = time;
  }
  return newest;
}

// Removes the run folder from the arguments and returns it.
fs::path run_folder(std::vector<std::string>& arguments) {
  const auto place = find_run_folder(arguments);
  if (!place)
    throw Error(ErrorCode::argument_missing, "host resume RUN_DIR: no run folder is named; host runs lists the runs");
  const fs::path folder = absolute_path(arguments[*place]);
  arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*place));
  refuse_second_folder(folder, arguments);
  if (is_file(folder)) refuse_file(folder);
  if (!is_folder(folder))
    throw Error(ErrorCode::folder_not_found, "host resume: there is no run folder '" + folder.string() + "'");
  if (is_present(folder / "config.json")) return folder;
  require_readable_folder(folder);
  const fs::path run = newest_run_in(folder);
  throw Error(ErrorCode::not_a_run_folder, "host resume: '" + folder.string() +
                                               "' is not a run folder: it has no config.json" +
                                               (run.empty() ? "" : "; its newest run: host resume " + run.string()));
}

void refuse_other_folder(const RunConfig& config, const RunConfig& saved) {
  for (const char* name : {"default_root_dir", "log_name", "log_version"})
    if (config.trainer.value(name, nlohmann::json()) != saved.trainer.value(name, nlohmann::json()))
      throw Error(ErrorCode::option_unsupported,
                  std::string("host resume writes to the run's own folder, so --") + name +
                      " cannot be changed; for a new run: host fit --config RUN_DIR/config.json --ckpt_path last");
}

// Returns true if only this user or root can have written the file. Only then is the saved trust in plugins applied.
bool is_own_file(const std::string& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 && (info.st_uid == ::geteuid() || info.st_uid == 0) &&
         (info.st_mode & S_IWOTH) == 0;
}

// Calls `use` with the resumed run and its early options, while the plugin index is alive.
int with_resumed(const std::vector<std::string>& arguments,
                 const std::function<int(const BuiltRun&, const EarlyOptions&)>& use) {
  std::vector<std::string> options = arguments;
  const fs::path folder = run_folder(options);
  const std::string file = (folder / "config.json").string();
  RunConfig saved = run_config_from_json(parse_json(read_file(file), file), file);
  refuse_evaluation(folder, saved);
  const EarlyOptions early = read_early_options(options);
  for (const std::string& word : options)
    if (word == "--run" || starts_with(word, "--run="))
      throw Error(ErrorCode::option_unsupported,
                  "host resume: --run is an option of other commands; use host resume RUN_DIR");
  if (!early.components.empty() || !early.configs.empty() || !early.profiles.empty()) {
    throw Error(
        ErrorCode::option_unsupported,
        "host resume uses the components of the saved run; only options can be changed. With other components: host "
        "fit --config " +
            file + " --ckpt_path last ...");
  }
  const bool tuned = saved.command == Command::tune;
  CommandLineRun run(tuned ? Command::fit : saved.command, options, early, saved.plugin_dirs);
  run.is_saved_whole();
  run.ignore_environment();
  if (saved.trust && is_own_file(file)) run.trust();
  if (tuned) forget_tuners(saved, run.source());
  run.compares_with({file, saved});
  BuiltRun built = run.build(settings_from_run(saved));
  refuse_other_folder(built.config, saved);
  built.config.resume = folder.string();
  return use(built, early);
}

}  // namespace

int resume_command(const std::vector<std::string>& arguments) {
  end_on_stop_signals();
  return with_resumed(arguments,
                      [](const BuiltRun& run, const EarlyOptions& early) { return print_or_launch(run, early); });
}

CheckedRun checked_resume(const std::vector<std::string>& arguments) {
  CheckedRun out;
  with_resumed(arguments, [&out](const BuiltRun& run, const EarlyOptions& early) {
    out = checked(run);
    out.prints = early.only_prints();
    return 0;
  });
  return out;
}

}  // namespace levin::core
