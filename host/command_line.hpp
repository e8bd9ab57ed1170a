// The words after the command: first those that choose components and files, then, with these known, all the others.
#pragma once
#include <string>
#include <vector>

#include "core/config/known_option.hpp"
#include "core/config/setting.hpp"

namespace levin::core {

struct Choices {                    // what can be read before any component is known
  std::vector<Setting> components;  // --model, --data, --callback, --logger
  std::vector<std::string> configs, plugins;
  bool trust = false, print_config = false, trace_hooks = false, help = false;
};

// Throws Error{usage}. Options that it does not know are left for read_settings.
Choices read_choices(const std::vector<std::string>& words);

// The settings of every option among `words`, those of read_choices left out. Throws Error{usage} with the nearest
// name. old_names: of the Trainer's options in other releases.
std::vector<Setting> read_settings(std::vector<std::string> words, const KnownOptions& known,
                                   const std::vector<std::string>& old_names);

}  // namespace levin::core
