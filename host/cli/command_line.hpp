// Reads the arguments after the command in two passes: first the options that choose components and files, then, with
// the components known, all other options.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"
#include "launch/world_plan.hpp"

namespace levin::core {

struct EarlyOptions {               // the options that are known before the components
  std::vector<Setting> components;  // --model, --data, --callback, --logger
  std::vector<std::string> configs, profiles, plugins, explain;
  std::string ckpt_path;  // also among the settings
  LaunchArguments launch;
  bool trust = false, allow_plugin_changes = false, strict_resume = false, print_config = false, json = false,
       trace_hooks = false, debug_plugins = false;
  bool help = false;
  int verbosity = 0;  // as in RunConfig
  bool only_prints() const { return print_config || !explain.empty(); }
};

std::vector<Setting> default_settings();  // those of default.json

// Throws Error{usage}, also if two models or data modules are named. Ignores unknown options, which read_settings()
// reads.
EarlyOptions read_early_options(const std::vector<std::string>& arguments);

// Throws Error{usage} for a word that belongs to no option. The message suggests the right place for it.
[[noreturn]] void refuse_stray_argument(const std::string& word);

// Returns a setting for every option in `arguments` that read_early_options() does not read. Throws Error{usage} for an
// unknown option and suggests a similar name. old_names: names of Trainer options in other releases, with their present
// keys (empty = none).
std::vector<Setting> read_settings(std::vector<std::string> arguments, const KnownOptions& known,
                                   const std::map<std::string, std::string>& old_names);

// For a run without a model, whose options are not all known. Throws Error{usage} for a stray word, and for an unknown
// option with a name similar to a known one. Returns the other unknown options, such as "--hidden".
std::vector<std::string> refuse_misspelt(const std::vector<std::string>& arguments, const KnownOptions& known,
                                         const std::map<std::string, std::string>& old_names);

// Returns "; did you mean --model mlp?" for a component or plugin file, "; the command comes first: host fit ..." for a
// command, and "" for an unknown word. Searches components only in the default plugin folders, not in --plugins.
std::string where_it_belongs(const std::string& word);

}  // namespace levin::core
