#include "host/cli/command_line.hpp"

#include <boost/program_options.hpp>
#include <set>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/run_config.hpp"
#include "core/config/schema.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/embedded.hpp"
#include "host/compose/suggestions.hpp"

namespace levin::core {
namespace {

namespace po = boost::program_options;
using nlohmann::json;

// Names must not be abbreviated. A single dash starts no option, because it may start a negative number.
constexpr int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                      po::command_line_style::long_allow_next;

po::options_description fixed_options() {
  po::options_description options;
  for (const auto& name : names_with_value()) options.add_options()(name.c_str(), po::value<std::string>(), "");
  for (const auto& name : names_without_value()) options.add_options()(name.c_str(), "");
  return options;
}

// Throws Error{usage} if an option that needs a value is followed by another option. A value that begins with -- must
// be written as --name=--value.
void refuse_missing_values(const std::vector<std::string>& arguments, const po::options_description& options) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (!starts_with(arguments[i], "--") || !starts_with(arguments[i + 1], "--")) continue;
    const po::option_description* option = options.find_nothrow(arguments[i].substr(2), /*approx=*/false);
    if (option != nullptr && option->semantic()->max_tokens() > 0)
      throw Error(ErrorCode::argument_missing, arguments[i] + ": a value is missing");
  }
}

po::parsed_options parse(const std::vector<std::string>& arguments, const po::options_description& options, bool all) {
  refuse_missing_values(arguments, options);
  po::command_line_parser parser(arguments);
  parser.options(options).style(style);
  if (!all) parser.allow_unregistered();
  try {
    return parser.run();
  } catch (const po::invalid_command_line_syntax& e) {
    const bool extra = e.kind() == po::invalid_syntax::extra_parameter;
    throw Error(extra ? ErrorCode::argument_unexpected : ErrorCode::argument_missing,
                "--" + bare_name(e.get_option_name()) + (extra ? " takes no value" : ": a value is missing"));
  }
}

// Parses "NAME=COMPONENT", "COMPONENT" or "NAME=false"; for a logger also "true" or "false".
Setting instance_setting(const std::string& group, const std::string& text) {
  const std::string origin = "--" + group + " " + text;
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || !is_name(name)) {
    const json value = scalar_from_text(text);
    if (group == "logger" && value.is_boolean()) return {"trainer.logger", value, origin, rank_command_line};
    return {group, text, origin, rank_command_line};
  }
  const std::string component = text.substr(equals + 1);
  const json value = scalar_from_text(component);
  const bool off = value == false || value.is_null();
  return {group + "." + name, off ? json(false) : json(component), origin, rank_command_line};
}

class SettingsReader {
 public:
  SettingsReader(const KnownOptions& known, const std::map<std::string, std::string>& old_names)
      : known_(known), old_(old_names) {
    for (const auto& option : known.all()) {
      names_.insert(option.key);
      names_.insert(option.key.substr(option.key.rfind('.') + 1));
    }
    for (const auto& key : known.former_keys()) {
      names_.insert(key);
      names_.insert(key.substr(key.rfind('.') + 1));
    }
    for (const auto& [name, now] : old_names) {
      names_.insert(name);
      names_.insert("trainer." + name);
    }
  }

  std::vector<Setting> read(std::vector<std::string> arguments) {
    give_bare_flags_a_value(arguments);
    po::options_description options = fixed_options();
    for (const auto& name : names_) {
      if (!is_fixed(name)) options.add_options()(name.c_str(), po::value<std::string>(), "");
    }
    std::vector<Setting> out;
    for (const auto& option : parse_all(arguments, options).options) {
      if (option.position_key != -1) refuse_stray_argument(option.value.at(0));
      if (option.string_key == "ckpt_path") out.push_back(setting("ckpt_path", option));
      if (!is_fixed(option.string_key)) out.push_back(setting(key_of(option.string_key), option));
    }
    return out;
  }

  std::vector<std::string> unknown(const std::vector<std::string>& arguments) const {
    std::vector<std::string> out;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (may_be_value(arguments, i)) continue;
      if (!starts_with(arguments[i], "--")) refuse_stray_argument(arguments[i]);
      const std::string name = bare_name(arguments[i]);
      if (is_fixed(name) || names_.count(name) || name.find('.') != std::string::npos || is_group(name)) continue;
      if (!meant(name).empty()) refuse_name(name);
      out.push_back("--" + name);
    }
    return out;
  }

 private:
  static Setting setting(const std::string& key, const po::option& option) {
    return {key, option.value.at(0), "--" + option.string_key, rank_command_line};
  }

  po::parsed_options parse_all(const std::vector<std::string>& arguments, po::options_description options) const {
    while (true) {
      try {
        return parse(arguments, options, true);
      } catch (const po::unknown_option& e) {
        const std::string name = bare_name(e.get_option_name());
        // Accepts unknown options of a group here: check_keys() reports them with a better suggestion.
        if (name.find('.') == std::string::npos || !is_group(group_of(name))) refuse_name(name);
        options.add_options()(name.c_str(), po::value<std::string>(), "");
      } catch (const po::error& e) {
        throw Error(ErrorCode::argument_unexpected, e.what());
      }
    }
  }

  static bool is_group(const std::string& name) { return kind_of_group(name) != 0 || name == "trainer"; }

  // Changes --fast_dev_run to --fast_dev_run=true.
  void give_bare_flags_a_value(std::vector<std::string>& arguments) const {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!starts_with(arguments[i], "--") || arguments[i].find('=') != std::string::npos) continue;
      const bool last = i + 1 == arguments.size() || starts_with(arguments[i + 1], "--");
      if (last && !is_fixed(arguments[i].substr(2)) && is_bare(arguments[i].substr(2))) arguments[i] += "=true";
    }
  }

  bool is_bare(const std::string& name) const {
    if (old_.count(name)) return true;
    const auto meanings = name.find('.') == std::string::npos ? known_.meanings(name) : std::vector<std::string>{name};
    for (const auto& key : meanings) {
      const KnownOption* option = known_.find(key);
      if (option != nullptr && option->bare) return true;
    }
    return false;
  }

  std::string key_of(const std::string& name) const {
    if (known_.find(name) != nullptr) return name;
    if (name.find('.') == std::string::npos) {
      const auto meanings = known_.meanings(name);
      if (meanings.size() == 1) return meanings[0];
      if (meanings.size() > 1)
        throw Error(ErrorCode::name_ambiguous, "--" + name + " is ambiguous: use --" + join(meanings, " or --"));
      return "trainer." + name;  // an old name
    }
    return name;
  }

  [[noreturn]] void refuse_name(const std::string& name) const {
    if (is_group(name))
      throw Error(ErrorCode::option_unknown,
                  "--" + name + " alone is not an option: use --" + name + ".OPTION; see host help " + name);
    const std::vector<std::string> near = meant(name);
    throw Error(ErrorCode::option_unknown, "there is no option --" + name +
                                               (near.empty() ? "; " + advice() : did_you_mean_one_of(near, "--", "")));
  }

  // Returns advice on an unknown option, with names of the model's options, because models have the most options.
  std::string advice() const {
    std::vector<std::string> of_model;
    for (const auto& key : known_.keys())
      if (group_of(key) == "model") of_model.push_back("--" + after_group(key));
    const std::string model = of_model.empty() ? "" : "; the model has " + join_some(of_model, 12);
    return "host --help lists all options" + model;
  }

  std::vector<std::string> meant(const std::string& name) const {
    std::vector<std::string> candidates = fixed_names();
    const bool dotted = name.find('.') != std::string::npos;
    const auto& more = dotted ? known_.keys() : std::vector<std::string>(names_.begin(), names_.end());
    // Removed options are suggested only for typing errors.
    for (const std::string& other : more)
      if (!is_gone(other) || edit_distance(name, other) <= 2) candidates.push_back(other);
    std::vector<std::string> out = meant_options(name, candidates);
    for (std::string& found : out) found = today(found);
    return out;
  }

  bool is_gone(const std::string& name) const {
    const auto old = old_.find(starts_with(name, "trainer.") ? after_group(name) : name);
    return old != old_.end() && old->second.empty() && known_.meanings(old->first).empty();
  }

  // Returns the present name of an old name, or else the name itself.
  std::string today(const std::string& name) const {
    const auto old = old_.find(starts_with(name, "trainer.") ? after_group(name) : name);
    const bool gone = old != old_.end() && !old->second.empty() && known_.meanings(old->first).empty();
    return gone ? old->second : name;
  }

  const KnownOptions& known_;
  const std::map<std::string, std::string>& old_;
  std::set<std::string> names_;
};

constexpr std::pair<const char*, bool EarlyOptions::*> early_flags[] = {
    {"trust", &EarlyOptions::trust},
    {"allow_plugin_changes", &EarlyOptions::allow_plugin_changes},
    {"strict_resume", &EarlyOptions::strict_resume},
    {"print_config", &EarlyOptions::print_config},
    {"json", &EarlyOptions::json},
    {"trace-hooks", &EarlyOptions::trace_hooks},
    {"debug-plugins", &EarlyOptions::debug_plugins},
    {"help", &EarlyOptions::help}};
constexpr std::pair<const char*, std::vector<std::string> EarlyOptions::*> early_lists[] = {
    {"config", &EarlyOptions::configs},
    {"profile", &EarlyOptions::profiles},
    {"plugins", &EarlyOptions::plugins},
    {"explain", &EarlyOptions::explain}};
constexpr std::pair<const char*, std::string LaunchArguments::*> launch_options[] = {
    {"hosts", &LaunchArguments::hosts},
    {"hostfile", &LaunchArguments::hostfile},
    {"ssh_command", &LaunchArguments::ssh_command}};

void set_verbosity(EarlyOptions& out, int verbosity) {
  if (out.verbosity == -verbosity)
    throw Error(ErrorCode::options_conflict, "--verbose and --quiet contradict each other; leave one of them out");
  out.verbosity = verbosity;
}

void refuse_two(const std::vector<Setting>& components, const std::string& group) {
  const Setting* first = nullptr;
  for (const Setting& s : components) {
    if (s.key != group) continue;
    if (first != nullptr)
      throw Error(ErrorCode::options_conflict, "--" + group + " is given twice, " + first->value.get<std::string>() +
                                                   " and " + s.value.get<std::string>() +
                                                   ": a run has one; leave one of them out");
    first = &s;
  }
}

}  // namespace

std::vector<Setting> default_settings() {
  return settings_from_config(parse_json_document(default_config_text, "default.json", ErrorCode::internal_error),
                              "default.json", rank_default);
}

EarlyOptions read_early_options(const std::vector<std::string>& arguments) {
  EarlyOptions out;
  for (const auto& option : parse(normalized(arguments), fixed_options(), false).options) {
    if (option.position_key != -1 || option.unregistered) continue;
    const std::string& name = option.string_key;
    for (const auto& [flag, member] : early_flags)
      if (name == flag) out.*member = true;
    if (name == "verbose") set_verbosity(out, verbosity_verbose);
    if (name == "quiet") set_verbosity(out, verbosity_quiet);
    if (option.value.empty()) continue;
    const std::string& value = option.value[0];
    for (const auto& [word, member] : early_lists)
      if (name == word) (out.*member).push_back(value);
    if (name == "ckpt_path") out.ckpt_path = value;
    for (const auto& [word, member] : launch_options)
      if (name == word) out.launch.*member = value;
    if (name == "model" || name == "data")
      out.components.push_back({name, value, "--" + name + " " + value, rank_command_line});
    if (name == "callback" || name == "logger") out.components.push_back(instance_setting(name, value));
  }
  if (out.json && !out.only_prints())
    throw Error(ErrorCode::argument_unexpected,
                "--json is for what --explain and --print_config print; give one of them");
  refuse_two(out.components, "model");
  refuse_two(out.components, "data");
  return out;
}

std::vector<std::string> refuse_misspelt(const std::vector<std::string>& arguments, const KnownOptions& known,
                                         const std::map<std::string, std::string>& old_names) {
  return SettingsReader(known, old_names).unknown(normalized(arguments));
}

std::vector<Setting> read_settings(std::vector<std::string> arguments, const KnownOptions& known,
                                   const std::map<std::string, std::string>& old_names) {
  return SettingsReader(known, old_names).read(normalized(std::move(arguments)));
}

}  // namespace levin::core
