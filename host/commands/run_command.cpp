#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/tuners.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/compose/saved_run.hpp"
#include "host/config_files/config_layers.hpp"
#include "host/config_files/lightning_cli.hpp"
#include "launch/start.hpp"

namespace levin::core {
namespace {

struct ConfigFile {
  std::string name;
  JsonDocument document;
  std::optional<RunConfig> run;  // nullopt = the file is not a run's config.json
};

std::vector<ConfigFile> read_configs(const EarlyOptions& early) {
  std::vector<ConfigFile> out;
  for (ConfigLayer& layer : with_profiles(read_config_files(early.configs), early.profiles)) {
    out.push_back({layer.name, std::move(layer.document), {}});
    const auto& value = out.back().document.value;
    if (is_run_config(value)) out.back().run = run_config_from_json(value, layer.name);
  }
  return out;
}

std::vector<std::string> plugin_dirs_of(const std::vector<ConfigFile>& files) {
  std::vector<std::string> out;
  for (const auto& file : files)
    if (file.run) out.insert(out.end(), file.run->plugin_dirs.begin(), file.run->plugin_dirs.end());
  return out;
}

// Returns the components and options of a saved run without its command and checkpoint, which come from the command
// line.
std::vector<Setting> run_settings(const ConfigFile& file, ComponentSource& source) {
  RunConfig run = *file.run;
  if (run.command == Command::tune) forget_tuners(run, source);
  auto out = settings_from_run(run);
  for (auto& s : out) s.origin = file.name;
  return out;
}

std::vector<Setting> file_settings(const std::vector<ConfigFile>& files, const ReadingContext& context) {
  std::vector<Setting> out;
  int rank = rank_file;
  for (const auto& file : files) {
    auto settings =
        file.run ? run_settings(file, context.source) : settings_of_layer({file.name, file.document}, rank, context);
    for (auto& s : settings) s.rank = rank;
    append(out, std::move(settings));
    ++rank;
  }
  return out;
}

bool names_model(const ConfigFile& file) {
  const auto& value = file.document.value;
  return file.run.has_value() || (value.is_object() && value.contains("model"));
}

void check_checkpoint_exists(const std::string& given) {
  if (given.empty() || given == "best" || given == "last") return;
  const std::filesystem::path path = absolute_path(given);
  if (is_file(path)) return;
  throw Error(ErrorCode::checkpoint_not_found,
              "--ckpt_path " + given +
                  (is_folder(path) ? ": it is a folder; give a checkpoint file, or best or last with --run FOLDER"
                                   : ": there is no such file"));
}

// Adds the checkpoint's own run, ranked below all files, for an evaluation that names a checkpoint and no model.
void add_run_of_checkpoint(Command command, const EarlyOptions& early, std::vector<ConfigFile>& files) {
  const auto is_model = [](const Setting& s) { return s.key == "model"; };
  if (fits(command) || command == Command::tune ||
      std::any_of(early.components.begin(), early.components.end(), is_model) ||
      std::any_of(files.begin(), files.end(), names_model))
    return;
  check_checkpoint_exists(early.ckpt_path);
  if (auto run = run_of_checkpoint(early.ckpt_path)) files.insert(files.begin(), {early.ckpt_path, {}, std::move(run)});
}

// Returns the folder of the last saved run among the files, if it trained this model and has checkpoints. --ckpt_path
// best|last refers to this folder.
std::optional<std::string> run_of_checkpoints(const std::vector<ConfigFile>& files, const RunConfig& config) {
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (!file->run || file->run->model.component != config.model.component) continue;
    const auto folder = absolute_path(file->name).parent_path();
    if (is_folder(folder / "checkpoints")) return folder.string();
  }
  return std::nullopt;
}

// Calls `use` with the run that the arguments describe, while the plugin index is alive.
int with_run_of(Command command, const EarlyOptions& early, const std::vector<std::string>& arguments,
                const std::function<int(const BuiltRun&)>& use) {
  auto files = read_configs(early);
  const bool saved = std::any_of(files.begin(), files.end(), [](const ConfigFile& f) { return f.run.has_value(); });
  add_run_of_checkpoint(command, early, files);
  CommandLineRun run(command, arguments, early, plugin_dirs_of(files));
  if (saved) run.is_saved_whole();
  auto settings = saved ? std::vector<Setting>{} : default_settings();
  for (const auto& file : files)
    if (file.run) run.compares_with({file.name, *file.run});
  std::vector<std::string> warnings;
  append(settings, file_settings(files, {run.source(), early.components, warnings}));
  BuiltRun built = run.build(std::move(settings));
  built.warnings.insert(built.warnings.begin(), warnings.begin(), warnings.end());
  built.config.ckpt_run = run_of_checkpoints(files, built.config);
  return use(built);
}

EarlyOptions early_options(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && !starts_with(arguments[0], "-")) refuse_stray_argument(arguments[0]);
  return read_early_options(arguments);
}

}  // namespace

int run_command(Command command, const std::vector<std::string>& given) {
  end_on_stop_signals();
  const std::vector<std::string> arguments = with_checkpoint_of_run(command, given);
  const EarlyOptions early = early_options(arguments);
  if (early.help) return print_command_help(*find_command(name_of(command)));
  return with_run_of(command, early, arguments, [&early](const BuiltRun& run) { return print_or_launch(run, early); });
}

int with_run(Command command, const std::vector<std::string>& given, const std::function<int(const BuiltRun&)>& use) {
  const std::vector<std::string> arguments = with_checkpoint_of_run(command, given);
  return with_run_of(command, early_options(arguments), arguments, use);
}

CheckedRun checked_run(Command command, const std::vector<std::string>& given) {
  const std::vector<std::string> arguments = with_checkpoint_of_run(command, given);
  const EarlyOptions early = early_options(arguments);
  CheckedRun out;
  with_run_of(command, early, arguments, [&out](const BuiltRun& run) { return out = checked(run), 0; });
  out.prints = early.only_prints();
  return out;
}

}  // namespace levin::core
