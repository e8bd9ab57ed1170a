#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/compose/component_options.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/settings_check.hpp"
#include "host/config/verbs.hpp"
#include "host/config_files/config_file.hpp"
#include "host/config_files/config_layers.hpp"
#include "host/config_files/lightning_cli.hpp"
#include "host/config_files/write_config.hpp"

namespace levin::core::config {
namespace {

using nlohmann::json;
using Lines = std::vector<ConfigLine>;

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// All options of the chosen components as lines. A line that nobody set is off and shows what holds without it.
class NewConfig {
 public:
  NewConfig(const Composition& composition, const Claims& claims) : composition_(composition), claims_(claims) {}

  ConfigLine build() const {
    ConfigLine root;
    for (const char* group : {"model", "data"})
      if (const ChosenComponent* chosen = composition_.find(group)) root.members.push_back(component(*chosen, group));
    for (const char* group : {"callback", "logger"}) root.members.push_back(instances(group));
    root.members.push_back(trainer());
    ConfigLine ckpt = line("ckpt_path", json(nullptr), "best, last or a checkpoint file to start from");
    root.members.insert(root.members.begin(), std::move(ckpt));
    root.notes = {"Lines that are comments show the values that hold without them.",
                  with_program_name("Sources of a run, and what overrides what: host config show --origins")};
    return root;
  }

 private:
  // The line of an option by its dotted key.
  ConfigLine line(const std::string& key, const json& deflt, const std::string& comment, int rank = 0) const {
    const Setting* said = last_setting(composition_.settings, key, rank);
    ConfigLine out{key.substr(key.rfind('.') + 1), deflt, one_line(comment), true};
    if (said == nullptr || said->rank == rank_default) return out;
    out.value = said->value;
    out.is_off = !said->by_user();
    if (out.is_off) out.comment += "; " + said->origin;
    return out;
  }

  ConfigLine option(const std::string& owner, const OptionSchema& schema, const std::string& type, int rank) const {
    const bool required = (schema.flags & LEVIN_OPT_REQUIRED) != 0;
    const std::string about = (required ? "required, " : "") + type + (schema.help.empty() ? "" : ": " + schema.help);
    ConfigLine out = line(owner + "." + schema.name, schema.deflt, about, rank);
    if ((schema.flags & LEVIN_OPT_SECRET) == 0) return out;
    out.value = json("");
    out.is_off = true;
    out.comment = "a secret, which is not written; " + out.comment;
    return out;
  }

  ConfigLine component(const ChosenComponent& chosen, const std::string& name) const {
    ConfigLine out{name};
    out.members.push_back({"component", json(chosen.written), chosen.schema().summary});
    const std::string key = chosen.key();
    for (const OptionSchema& schema : chosen.schema().options)
      out.members.push_back(option(key, schema, describe_type(schema), chosen.rank));
    for (const OptionSchema* schema : options_of_host(key))
      if (find_option(chosen.schema(), schema->name) == nullptr)
        out.members.push_back(option(key, *schema, describe_type(*schema), rank_default));
    return out;
  }

  ConfigLine instances(const std::string& group) const {
    ConfigLine out{group};
    std::vector<std::string> by_default;
    for (const ChosenComponent& chosen : composition_.components) {
      if (chosen.group != group) continue;
      if (chosen.removed) out.members.push_back({chosen.name, json(false)});
      if (!chosen.removed && chosen.by_user) out.members.push_back(component(chosen, chosen.name));
      if (!chosen.removed && !chosen.by_user) by_default.push_back(chosen.name);
    }
    if (!by_default.empty())
      out.notes = {"There by default: " + join(by_default, ", ") + ". NAME: false leaves one out."};
    return out;
  }

  ConfigLine trainer() const {
    ConfigLine out{"trainer"};
    std::string group;
    for (const TrainerOption& row : trainer_options()) {
      out.members.push_back(option("trainer", row.schema, describe_type(row), rank_default));
      if (row.group != group) out.members.back().notes.push_back(row.group);
      group = row.group;
    }
    bool first = true;
    for (const auto& [name, list] : claims_) {
      if (find_trainer_option(name) != nullptr) continue;
      const OptionSchema schema = claimed_option(list);
      out.members.push_back(option("trainer", schema, describe_type(schema), rank_default));
      if (first) out.members.back().notes.emplace_back("Callbacks and loggers");
      first = false;
    }
    return out;
  }

  const Composition& composition_;
  const Claims& claims_;
};

std::string text_of_new(const std::vector<std::string>& options, const std::string& name) {
  const EarlyOptions early = read_early_options(options);
  CommandLineRun run(Command::run, options, early, {});
  run.ignore_environment();
  std::vector<Setting> settings = default_settings();
  std::vector<std::string> warnings;
  int rank = rank_file;
  for (const ConfigLayer& layer : with_profiles(read_config_files(early.configs), early.profiles))
    append(settings, settings_of_layer(layer, rank++, {run.source(), early.components, warnings}));
  append(settings, early.components);
  settings = run.with_options(std::move(settings), options, warnings);
  run.old_names().rename(settings, warnings,
                         [&run](const std::string& option) { return serves_trainer_option(option, run.source()); });
  Composition composition = compose(std::move(settings), run.source());
  const Claims claims = find_claims(composition, run.source());
  apply_renamed_options(composition, warnings);
  const KnownOptions known(composition, claims);
  check_keys(composition, known, run.source());
  gather_lists(composition.settings, known);
  for (Setting& s : composition.settings) {
    const json checked = check_value(s, composition, known, run.source());
    if (!checked.is_string()) s.value = checked;  // a text may be a path, which stays as it was given
  }
  drop_overridden_defaults(composition);
  for (const std::string& warning : warnings) print_message("warning", warning);
  return write_config(NewConfig(composition, claims).build(), name);
}

}  // namespace

int new_file(const ConfigArguments& arguments) {
  if (arguments.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected, "host config new: unexpected argument '" + arguments.names[1] +
                                                    "'; components are options: --model X --data X");
  if (arguments.names.empty()) {
    std::fputs(text_of_new(arguments.options, "run.yaml").c_str(), stdout);
    return 0;
  }
  const std::string& name = arguments.names[0];
  if (format_named(name) == ConfigFormat::json && !ends_with(lower(name), ".json"))
    throw Error(ErrorCode::name_invalid,
                "host config new: name the file .yaml, .toml or .json, which decides its format");
  const auto path = output_file(name, arguments.has("force"), "host config new");
  write_file_durable(path, text_of_new(arguments.options, name));
  std::printf("%s: written; %s --config %s starts the run\n", printable(name).c_str(), command_name(),
              printable(name).c_str());
  return 0;
}

}  // namespace levin::core::config
