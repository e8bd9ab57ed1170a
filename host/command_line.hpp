// The words after the command: first those that choose components and files, then, with these known, all the others.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct EarlyOptions {               // what can be read before any component is known
  std::vector<Setting> components;  // --model, --data, --callback, --logger
  std::vector<std::string> configs, plugins;
  bool trust = false, print_config = false, trace_hooks = false, help = false;
};

// Throws Error{usage}. Options that it does not know are left for read_settings.
EarlyOptions read_early_options(const std::vector<std::string>& words);

// Throws Error{usage}: a word that belongs to no option, with where it belongs.
[[noreturn]] void refuse_stray_word(const std::string& word);

struct InfoArgs {                  // of a command that runs nothing
  std::vector<std::string> names;  // what stands without dashes: a file, a component
  std::vector<std::string> plugins;
  bool trust = false;
};

// Throws Error{usage} for every word but --plugins DIR, --trust, --help and so many names.
InfoArgs read_info_args(const std::string& command, const std::vector<std::string>& words, size_t most_names);

// The settings of every option among `words`, those of read_early_options left out. Throws Error{usage} with the
// nearest name. old_names: of the Trainer's options in other releases, with what they are now ("": nothing).
std::vector<Setting> read_settings(std::vector<std::string> words, const KnownOptions& known,
                                   const std::map<std::string, std::string>& old_names);

}  // namespace levin::core
