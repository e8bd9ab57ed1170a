// The command that starts an agent on another machine.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// Quotes any text as one word for the shell of the other machine.
std::string quoted_for_shell(const std::string& word);

// given: --ssh_command, words separated by spaces; empty = ssh with options that make it fail early and never ask.
std::vector<std::string> ssh_command(const std::string& given, const std::string& host,
                                     const std::vector<std::string>& agent);

}  // namespace levin::core
