#include "host/run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "host/command_line.hpp"
#include "host/compose/print_config.hpp"
#include "host/compose/run_builder.hpp"
#include "host/compose/saved_run.hpp"
#include "host/embedded.hpp"
#include "host/help.hpp"
#include "host/launch.hpp"
#include "host/plugin_source.hpp"
#include "host/tuners.hpp"

namespace levin::core {
namespace {

void append(std::vector<Setting>& to, std::vector<Setting> from) {
  for (auto& s : from) to.push_back(std::move(s));
}

std::vector<Setting> default_settings() {
  return settings_from_config(parse_json_document(default_config_text, "default.json", ErrorKind::internal),
                              "default.json", rank_default);
}

struct ConfigFile {
  std::string name;
  JsonDocument document;
  std::optional<RunConfig> run;  // it is the config.json of a run
};

std::vector<ConfigFile> read_configs(const std::vector<std::string>& files) {
  std::vector<ConfigFile> out;
  for (const auto& file : files) {
    out.push_back({file, parse_json_document(read_file_or_pipe(file), file), {}});
    const auto& value = out.back().document.value;
    if (is_run_config(value)) out.back().run = run_config_from_json(value, file);
  }
  return out;
}

std::vector<std::string> plugin_dirs_of(const std::vector<ConfigFile>& files) {
  std::vector<std::string> out;
  for (const auto& file : files)
    if (file.run) out.insert(out.end(), file.run->plugin_dirs.begin(), file.run->plugin_dirs.end());
  return out;
}

// Of a run's own file what it was made of; what it was told to do (the command, the checkpoint) is left to be said.
std::vector<Setting> run_settings(const ConfigFile& file, ComponentSource& source) {
  RunConfig run = *file.run;
  if (run.command == Command::tune) forget_tuners(run, source);
  auto out = settings_from_run(run, source);
  for (auto& s : out) s.origin = file.name;
  return out;
}

std::vector<Setting> file_settings(const std::vector<ConfigFile>& files, ComponentSource& source) {
  std::vector<Setting> out;
  int rank = rank_file;
  for (const auto& file : files) {
    auto settings = file.run ? run_settings(file, source) : settings_from_config(file.document, file.name, rank);
    for (auto& s : settings) s.rank = rank;
    append(out, std::move(settings));
    ++rank;
  }
  return out;
}

std::vector<std::string> trainer_names(const KnownOptions& known) {
  std::vector<std::string> names;
  for (const auto& key : known.keys()) {
    if (starts_with(key, "trainer.")) names.push_back(after_group(key));
  }
  return names;
}

void add_environment(std::vector<Setting>& settings, const KnownOptions& known, std::vector<std::string>& warnings) {
  std::vector<std::string> unknown;
  const auto names = trainer_names(known);
  append(settings, settings_from_environment(environment_variables(), names, unknown));
  for (const auto& variable : unknown) {
    warnings.push_back(variable + ": the Trainer has no such option" +
                       did_you_mean(lower(variable.substr(14)), names, 0));
  }
}

// Folders of a saved run may be gone; its plugins are named by their paths.
Choices with_dirs(Choices choices, const std::vector<std::string>& dirs) {
  std::error_code ignored;
  for (const auto& dir : dirs) {
    if (std::filesystem::is_directory(dir, ignored)) choices.plugins.push_back(dir);
  }
  return choices;
}

// Everything but where the settings below the command line come from.
class Run {
 public:
  Run(Command command, std::vector<std::string> words, const std::vector<std::string>& more_dirs = {})
      : words_(std::move(words)),
        choices_(with_dirs(read_choices(words_), more_dirs)),
        index_(plugin_dirs(choices_.plugins), choices_.trust),
        source_(index_) {
    request_.command = command;
    request_.old = OldOptions(parse_json(old_options_text, "old_options.json", ErrorKind::internal));
    request_.trust = choices_.trust;
    for (const auto& dir : choices_.plugins) request_.plugin_dirs.push_back(absolute_path(dir).string());
  }

  // What is not asked for again of a run that was saved whole: the defaults, what components recommend.
  void is_saved_whole() { request_.recommendations = false; }
  void ignore_environment() { environment_ = false; }
  const Choices& choices() const { return choices_; }
  RunRequest& request() { return request_; }
  PluginSource& source() { return source_; }

  BuiltRun build(std::vector<Setting> settings) {
    append(settings, choices_.components);
    if (request_.command == Command::tune) append(settings, tuners(settings));
    std::vector<std::string> warnings;
    request_.settings = with_options(std::move(settings), words_, warnings);
    const bool tunes = request_.command == Command::tune;
    BuiltRun run = build_run(std::move(request_), source_);
    if (tunes) require_tuner(run.composition);
    run.warnings.insert(run.warnings.begin(), warnings.begin(), warnings.end());
    run.config.trace_hooks = choices_.trace_hooks;
    return run;
  }

 private:
  // With what the words and the environment say of the components that the settings name.
  std::vector<Setting> with_options(std::vector<Setting> settings, const std::vector<std::string>& words,
                                    std::vector<std::string>& warnings) {
    const Composition composition = compose(settings, source_, request_.recommendations);
    require_model(composition, source_);
    const KnownOptions known(composition, find_claims(composition, source_));
    append(settings, read_settings(words, known, request_.old.names()));
    if (environment_) add_environment(settings, known, warnings);
    return settings;
  }

  std::vector<Setting> tuners(const std::vector<Setting>& settings) {
    const Composition chosen = compose(settings, source_, request_.recommendations);
    if (names_tuner(chosen)) return {};
    std::vector<std::string> told_later;
    return tuners_by_default(with_options(chosen.settings, words_for_tuners(words_, source_), told_later), source_);
  }

  std::vector<std::string> words_;
  Choices choices_;
  PluginIndex index_;
  PluginSource source_;
  RunRequest request_;
  bool environment_ = true;
};

void tell(const BuiltRun& run) {
  for (const auto& warning : run.warnings) std::fprintf(stderr, "host: warning: %s\n", warning.c_str());
  for (const auto& slot : run.composition.slots) {
    const bool chosen = slot.group == "model" || slot.group == "data" || slot.by_user;
    if (!chosen || !slot.off.empty()) continue;
    const std::string version = slot.schema().version.empty() ? "" : " " + slot.schema().version;
    const std::string name = slot.name == slot.schema().id ? "" : slot.name + ": ";
    std::fprintf(stderr, "host: %s %s%s%s, %s\n", slot.group.c_str(), name.c_str(), slot.schema().id.c_str(),
                 version.c_str(), slot.found.file.c_str());
  }
}

int finish(const BuiltRun& run, bool print) {
  if (print) {
    for (const auto& warning : run.warnings) std::fprintf(stderr, "host: warning: %s\n", warning.c_str());
    std::fputs(print_config(run).c_str(), stdout);
    return 0;
  }
  tell(run);
  launch_run(run.config);
}

}  // namespace

int run_command(Command command, const std::vector<std::string>& words) {
  if (!words.empty() && !starts_with(words[0], "-")) refuse_stray_word(words[0]);
  const Choices choices = read_choices(words);
  if (choices.help) return print_command_help(name_of(command));
  const auto files = read_configs(choices.configs);
  const bool saved = std::any_of(files.begin(), files.end(), [](const ConfigFile& f) { return f.run.has_value(); });
  Run run(command, words, plugin_dirs_of(files));
  if (saved) run.is_saved_whole();
  auto settings = saved ? std::vector<Setting>{} : default_settings();
  append(settings, file_settings(files, run.source()));
  return finish(run.build(std::move(settings)), run.choices().print_config);
}

namespace {

// A checkpoint, most likely: those of a run lie two folders below it.
[[noreturn]] void refuse_file(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto above = file.parent_path().parent_path();
  const std::string run = std::filesystem::exists(above / "config.json", ignored) ? above.string() : "RUN_DIR";
  throw Error(ErrorKind::usage, "host resume: '" + file.string() + "' is a file, and a run folder is asked for; say " +
                                    "host resume " + run + " --ckpt_path " + file.string());
}

}  // namespace

int resume_command(const std::vector<std::string>& words) {
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) return print_command_help("resume");
  if (words.empty() || starts_with(words[0], "--"))
    throw Error(ErrorKind::usage, "host resume RUN_DIR: no run folder is named");
  const auto folder = absolute_path(words[0]);
  const auto file = folder / "config.json";
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder, ignored)) refuse_file(folder);
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw Error(ErrorKind::usage, "host resume: there is no run folder '" + folder.string() + "'");
  }
  if (!std::filesystem::exists(file, ignored))
    throw Error(ErrorKind::usage, "host resume: '" + folder.string() + "' is no run folder: it has no config.json");
  RunConfig saved = run_config_from_json(parse_json(read_file(file), file.string()), file.string());
  const bool tuned = saved.command == Command::tune;
  Run run(tuned ? Command::fit : saved.command, {words.begin() + 1, words.end()}, saved.plugin_dirs);
  if (!run.choices().components.empty() || !run.choices().configs.empty()) {
    throw Error(ErrorKind::usage,
                "host resume goes on with the components of the saved run; only options can be changed");
  }
  run.is_saved_whole();
  run.ignore_environment();
  run.request().trust = run.request().trust || saved.trust;
  if (tuned) forget_tuners(saved, run.source());
  BuiltRun built = run.build(settings_from_run(saved, run.source()));
  built.config.resume = folder.string();
  return finish(built, run.choices().print_config);
}

}  // namespace levin::core
