#include "host/commands/command_line_run.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "host/cli/embedded.hpp"
#include "host/cli/tuners.hpp"
#include "host/compose/claims.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/option_sources.hpp"
#include "host/compose/plugin_changes.hpp"
#include "host/config_files/write_config.hpp"
#include "host/watch/dashboard.hpp"
#include "launch/start.hpp"

namespace levin::core {
namespace {

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
    const std::string option = lower(variable.substr(std::string(environment_prefix).size()));
    warnings.push_back(variable + ": the Trainer has no such option" + did_you_mean(option, names, 0));
  }
}

// Saves the hash of each plugin file, so that later runs can report that a file has changed.
void record_files(RunConfig& config) {
  std::map<std::string, std::string> hashes;
  const auto record = [&hashes](ComponentConfig& c) {
    std::string& hash = hashes[c.file];
    if (hash.empty()) hash = sha256_file(c.file);
    c.sha256 = hash;
  };
  record(config.model);
  if (config.data) record(*config.data);
  for (auto& c : config.callbacks) record(c);
  for (auto& c : config.loggers) record(c);
}

EarlyOptions with_dirs(EarlyOptions early, const std::vector<std::string>& dirs) {
  for (const auto& dir : dirs) {
    if (is_folder(dir)) early.plugins.push_back(dir);
  }
  return early;
}

void print_warnings(const BuiltRun& run) {
  for (const auto& warning : run.warnings) print_message("warning", warning);
}

// Throws Error{usage} for a value that is not UTF-8, because a run is saved as JSON. Arguments are UTF-8 already, but
// folders may have any name.
void refuse_other_encodings(const RunConfig& config) {
  const nlohmann::json values = to_json(config).flatten();
  for (const auto& item : values.items()) {
    if (!item.value().is_string() || is_utf8(item.value().get<std::string>())) continue;
    std::string key = item.key().substr(1);
    std::replace(key.begin(), key.end(), '/', '.');
    throw Error(ErrorCode::text_not_utf8,
                key + " is '" + item.value().get<std::string>() +
                    "', which is not UTF-8 and cannot be saved as JSON; use a folder with another name");
  }
}

// Prints the model, the data module and the components that the user chose, each with its file.
void print_run_summary(const BuiltRun& run) {
  for (const auto& chosen : run.composition.components) {
    const bool by_somebody = chosen.group == "model" || chosen.group == "data" || chosen.by_user;
    if (!by_somebody || !chosen.off.empty()) continue;
    const ComponentSchema& schema = chosen.schema();
    const std::string version = schema.version.empty() ? "" : " " + schema.version;
    const std::string name = chosen.name == schema.id ? "" : chosen.name + ": ";
    print_message("", chosen.group + " " + name + schema.id + version + ", " + chosen.found.file);
  }
}

// Returns true if a component of the run that claims --progress is set to `dashboard`.
bool wants_dashboard(const RunConfig& config, const Composition& composition) {
  for (const auto& chosen : composition.components)
    for (const ClaimSchema& claim : chosen.schema().claims)
      for (const ComponentConfig& callback : config.callbacks)
        if (claim.name == "progress" && chosen.group == "callback" && callback.name == chosen.name &&
            callback.options.value(claim.option, "") == "dashboard")
          return true;
  return false;
}

int print_explanations(const BuiltRun& run, const EarlyOptions& early) {
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& option : early.explain)
    for (nlohmann::json& row : explain_option(run, option)) rows.push_back(std::move(row));
  if (early.json)
    std::printf("%s\n", rows.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  else
    for (const nlohmann::json& row : rows) std::fputs(explanation_text(row).c_str(), stdout);
  return 0;
}

}  // namespace

void append(std::vector<Setting>& to, std::vector<Setting> from) {
  for (auto& setting : from) to.push_back(std::move(setting));
}

CommandLineRun::CommandLineRun(Command command, std::vector<std::string> arguments, EarlyOptions early,
                               const std::vector<std::string>& more_dirs)
    : arguments_(std::move(arguments)),
      early_(with_dirs(std::move(early), more_dirs)),
      index_(plugin_dirs(early_.plugins), early_.trust),
      source_(index_) {
  request_.command = command;
  request_.old =
      LightningAliases(parse_json(lightning_aliases_text, "lightning_aliases.json", ErrorCode::internal_error));
  request_.trust = early_.trust;
  request_.allow_plugin_changes = early_.allow_plugin_changes;
  for (const auto& dir : early_.plugins) request_.plugin_dirs.push_back(absolute_path(dir).string());
}

BuiltRun CommandLineRun::build(std::vector<Setting> settings) {
  append(settings, early_.components);
  std::vector<std::string> warnings = missing_plugin_folders();
  for (auto& line : leave_out_lost(settings, source_, request_.allow_plugin_changes))
    warnings.push_back(std::move(line));
  const bool tunes = request_.command == Command::tune;
  if (tunes) append(settings, tuners(settings));
  request_.settings = with_options(std::move(settings), arguments_, warnings);
  BuiltRun run = build_run(std::move(request_), source_);
  if (tunes) require_tuner(run.composition);
  run.warnings.insert(run.warnings.begin(), warnings.begin(), warnings.end());
  record_files(run.config);
  run.config.strict_resume = early_.strict_resume;
  run.config.trace_hooks = early_.trace_hooks;
  run.config.verbosity = early_.verbosity;
  run.config.debug_plugins = early_.debug_plugins;
  return run;
}

std::vector<Setting> CommandLineRun::with_options(std::vector<Setting> settings,
                                                  const std::vector<std::string>& arguments,
                                                  std::vector<std::string>& warnings) {
  const Composition composition = compose(settings, source_, request_.recommendations);
  const KnownOptions known(composition, find_claims(composition, source_));
  if (composition.find("model") == nullptr) refuse_missing_model(composition, known, arguments);
  append(settings, read_settings(arguments, known, request_.old.names()));
  if (environment_) add_environment(settings, known, warnings);
  return settings;
}

void CommandLineRun::refuse_missing_model(const Composition& composition, const KnownOptions& known,
                                          const std::vector<std::string>& arguments) {
  const auto unknown = refuse_misspelt(arguments, known, request_.old.names());
  const std::string remark = unknown.empty() ? "" : "; without a model there is no option " + join(unknown, ", ");
  require_model(composition, source_, remark);
}

std::vector<Setting> CommandLineRun::tuners(const std::vector<Setting>& settings) {
  const Composition composition = compose(settings, source_, request_.recommendations);
  if (names_tuner(composition)) return {};
  std::vector<std::string> given_again;  // dropped, because build() repeats these warnings
  const auto arguments = words_for_tuners(arguments_, source_);
  return tuners_by_default(with_options(composition.settings, arguments, given_again), source_);
}

CheckedRun checked(const BuiltRun& run) {
  refuse_other_encodings(run.config);
  return {run.config, run.warnings};
}

int print_or_launch(const BuiltRun& run, const EarlyOptions& early) {
  const bool speaks = world_of(environment_variables()).is_first();  // of the processes started by a launcher
  if (speaks) print_warnings(run);
  refuse_other_encodings(run.config);
  if (early.print_config) {
    const ConfigLine tree = config_tree(run);
    std::fputs(write_config(early.json ? without_comments(tree) : tree, "run.json").c_str(), stdout);
    return 0;
  }
  if (!early.explain.empty()) return print_explanations(run, early);
  if (speaks && run.config.verbosity > verbosity_quiet) print_run_summary(run);
  if (speaks && run.config.verbosity > verbosity_quiet && wants_dashboard(run.config, run.composition))
    if (const std::optional<int> code = run_under_dashboard()) return *code;
  return launch_run(run.config, early.launch);
}

}  // namespace levin::core
