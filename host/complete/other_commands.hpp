// Candidates for the arguments and options of a command, read from the command's own help.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/cli/commands.hpp"
#include "host/complete/completion.hpp"

namespace levin::core {

// Adds the options that the command's usage and help name, and those of the components in a plugin file that the words
// name, as --tasks.OPTION after --library FILE.so.
void add_options_of(const HostCommand& command, const std::vector<std::string>& words, Completion& out);

// Returns what the help shows as the value of an option, which is given with its dashes. "" = it takes none; nullopt =
// the help does not name the option.
std::optional<std::string> value_of_option(const HostCommand& command, const std::string& option);

// Adds the values of an option of a component in a plugin file that the words name: "tasks.size".
void add_values_of_component(const std::vector<std::string>& words, const std::string& option, Completion& out);

// words: as in complete(); the last one is completed as an argument of the command, words[0].
void add_arguments_of(const HostCommand& command, const std::vector<std::string>& words, Completion& out);

}  // namespace levin::core
