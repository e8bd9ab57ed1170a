// The form of the arguments on the command line, whichever options a run has.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// The options that every run has before its components are known.
extern const std::vector<std::string> names_with_value, names_without_value;
bool is_fixed(const std::string& name);
std::vector<std::string> fixed_names();  // of both, and "version"

std::string bare_name(const std::string& word);  // "lr" for "--lr=3"

// Writes out short options. Throws Error{usage} for a word with dashes that cannot be an option: "---lr", "--=3", "--".
std::vector<std::string> normalized(std::vector<std::string> arguments);

// Whether the word at this place follows an option that may take a value.
bool may_be_value(const std::vector<std::string>& arguments, size_t place);

bool is_short_option(const std::string& word);  // one dash, and no number behind it
// The options that such a word may stand for: -v for --verbose and --version.
std::vector<std::string> meant_by_short(const std::string& word);

}  // namespace levin::core
