// The words after the command: first those that choose components and files, then, with these known, all the others.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct Choices {                    // what can be read before any component is known
  std::vector<Setting> components;  // --model, --data, --callback, --logger
  std::vector<std::string> configs, plugins;
  bool trust = false, print_config = false, trace_hooks = false, help = false;
};

// Throws Error{usage}. Options that it does not know are left for read_settings.
Choices read_choices(const std::vector<std::string>& words);

// Throws Error{usage}: a word that belongs to no option, with where it belongs.
[[noreturn]] void refuse_stray_word(const std::string& word);

struct AnswerWords {               // of a command that runs nothing
  std::vector<std::string> names;  // what stands without dashes: a file, a component
  std::vector<std::string> plugins;
  bool trust = false;
};

// Throws Error{usage} for every word but --plugins DIR, --trust, --help and `most` names.
AnswerWords read_answer_words(const std::string& command, const std::vector<std::string>& words, size_t most);

// The settings of every option among `words`, those of read_choices left out. Throws Error{usage} with the nearest
// name. old_names: of the Trainer's options in other releases, with what they are now ("": nothing).
std::vector<Setting> read_settings(std::vector<std::string> words, const KnownOptions& known,
                                   const std::map<std::string, std::string>& old_names);

}  // namespace levin::core
