// The command that starts an agent on another machine.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// One word for the shell of the other machine, whatever is in it.
std::string quoted_for_shell(const std::string& word);

// given: --ssh_command, words with spaces between them; "": ssh with options that let it fail soon and never ask.
std::vector<std::string> ssh_command(const std::string& given, const std::string& host,
                                     const std::vector<std::string>& agent);

}  // namespace levin::core
