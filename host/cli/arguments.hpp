// The syntax of command-line arguments, independent of a run's options.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levin::core {

// The options that every run has before its components are known (run_arguments.hpp).
const std::vector<std::string>& names_with_value();
const std::vector<std::string>& names_without_value();
bool is_fixed(const std::string& name);
std::vector<std::string> fixed_names();  // both lists and "version"

std::string bare_name(const std::string& word);  // returns "lr" for "--lr=3"

// Expands short options. Throws Error{usage} for a word with dashes that cannot be an option: "---lr", "--=3", "--".
std::vector<std::string> normalized(std::vector<std::string> arguments);

// Returns true if the word at this place follows an option that may take a value.
bool may_be_value(const std::vector<std::string>& arguments, size_t place);

bool is_short_option(const std::string& word);  // true for one dash that no digit follows
// Returns the options that a short option may stand for: --verbose and --version for -v.
std::vector<std::string> meant_by_short(const std::string& word);

// Removes the first --NAME VALUE or --NAME=VALUE from the arguments. Returns the value, or nullopt if the option is not
// given. Throws Error{usage} if its value is missing.
std::optional<std::string> take_option(std::vector<std::string>& arguments, const std::string& name);

// The arguments that a command accepts.
struct ArgumentRules {
  std::string command;                     // "export", for messages
  std::vector<std::string> flags, values;  // names of the options without and with a value; --plugins may be repeated
  size_t most_names = 1;
  bool others = false;  // other options are also accepted, with or without a value
};

struct Arguments {
  std::vector<std::string> names;                            // the arguments without dashes
  std::vector<std::pair<std::string, std::string>> options;  // name and value; "" = no value

  bool has(const std::string& option) const;
  std::string value(const std::string& option) const;  // "" = not given
  std::vector<std::string> plugins() const;            // the values of --plugins
};

// Reads --NAME VALUE, --NAME=VALUE and names. Throws Error{usage} for any other argument and suggests a similar name.
Arguments read_arguments(const ArgumentRules& rules, const std::vector<std::string>& words);

}  // namespace levin::core
