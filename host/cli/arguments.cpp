#include "host/cli/arguments.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/compose/suggestions.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse_word(const std::string& what) { throw Error(ErrorKind::usage, what); }

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Throws Error{usage} for a word with dashes that cannot be an option of any run.
void check_form(const std::string& word) {
  if (!starts_with(word, "--")) return;
  const std::string name = bare_name(word);
  if (word == "--") refuse_word("'--' alone is no option; every word after the command belongs to one");
  if (name.empty()) refuse_word("'" + word + "' names no option; write --NAME VALUE or --NAME=VALUE");
  if (word[2] == '-') refuse_word("'" + word + "': an option begins with two dashes; did you mean --" + name + "?");
  const std::vector<std::string> parts = split(name, '.');
  if (std::find(parts.begin(), parts.end(), "") == parts.end()) return;
  refuse_word("--" + name + " has a part without a name; say --" + (parts[0].empty() ? "GROUP" : parts[0]) +
              ".OPTION VALUE");
}

std::string short_dashes(const std::string& word) {
  if (word == "-h") return "--help";
  return word == "-c" ? "--config" : word;
}

}  // namespace

const std::vector<std::string> names_with_value = {"model",     "data", "callback", "logger",   "config",     "plugins",
                                                   "ckpt_path", "run",  "hosts",    "hostfile", "ssh_command"};
const std::vector<std::string> names_without_value = {
    "trust",       "allow_plugin_changes", "strict_resume", "print_config",
    "trace-hooks", "debug-plugins",        "verbose",       "quiet",
    "help"};

bool is_fixed(const std::string& name) {
  return is_one_of(name, names_with_value) || is_one_of(name, names_without_value);
}

std::vector<std::string> fixed_names() {
  std::vector<std::string> names = names_with_value;
  names.insert(names.end(), names_without_value.begin(), names_without_value.end());
  names.emplace_back("version");
  return names;
}

std::string bare_name(const std::string& word) {
  const std::string name = word.substr(std::min(word.size(), word.find_first_not_of('-')));
  return name.substr(0, name.find('='));
}

std::vector<std::string> normalized(std::vector<std::string> arguments) {
  std::transform(arguments.begin(), arguments.end(), arguments.begin(), short_dashes);
  for (const std::string& word : arguments) check_form(word);
  return arguments;
}

bool may_be_value(const std::vector<std::string>& arguments, size_t place) {
  if (place == 0 || !starts_with(arguments[place - 1], "--") || starts_with(arguments[place], "--")) return false;
  const std::string before = arguments[place - 1].substr(2);
  return before.find('=') == std::string::npos && !is_one_of(before, names_without_value);
}

bool is_short_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
}

std::vector<std::string> meant_by_short(const std::string& word) {
  const std::string name = bare_name(word);
  if (name.size() != 1) return meant_options(name, fixed_names());
  std::vector<std::string> out;
  for (const std::string& fixed : fixed_names())
    if (lower(fixed).substr(0, 1) == lower(name)) out.push_back(fixed);
  return out;
}

}  // namespace levin::core
