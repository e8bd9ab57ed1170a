// Proposes a name for one that does not exist: the near one, or the one that other tools call so.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// Those of the known options that `name` was probably meant to be; empty if there is none. name: without dashes and
// group.
std::vector<std::string> meant_options(const std::string& name, const std::vector<std::string>& known);
// The same for commands.
std::vector<std::string> meant_commands(const std::string& name, const std::vector<std::string>& known);

}  // namespace levin::core
