// Suggests names for a name that does not exist: similar names, and names used by other tools.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// Returns the known options that `name` was probably meant to be; may be empty. `name` has neither dashes nor a group.
std::vector<std::string> meant_options(const std::string& name, const std::vector<std::string>& known);
// Returns the known commands that `name` was probably meant to be; may be empty.
std::vector<std::string> meant_commands(const std::string& name, const std::vector<std::string>& known);

// Return "; did you mean 'a' or 'b'?" for these, or else "; known: a, b, c" if at most `list_up_to` are known, or else
// "".
std::string did_you_mean_option(const std::string& name, const std::vector<std::string>& known, size_t list_up_to);
std::string did_you_mean_command(const std::string& name, const std::vector<std::string>& known, size_t list_up_to);

}  // namespace levin::core
