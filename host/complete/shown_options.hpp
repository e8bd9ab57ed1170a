// The options and words that the help of a command shows.
#pragma once
#include <string>
#include <vector>

#include "host/cli/commands.hpp"
#include "host/complete/completion.hpp"

namespace levin::core {

struct ShownOption {
  std::string name;   // with dashes: "--output", "-o"
  std::string value;  // as the help shows it: "FILE.html|FILE.md"; "" = the option takes none
  std::string about;  // the text beside the option; may be ""
};

// In the order of usage and help. verb: the word after the command; without the options that the usage shows only for
// other verbs.
std::vector<ShownOption> shown_options(const HostCommand& command, const std::string& verb = "");

struct ShownUsage {                    // a line of the usage: host new model|data NAME [--c]
  std::vector<std::string> verbs;      // model, data; empty = the command has none
  std::vector<std::string> arguments;  // NAME; also "OPTION" and alike, which stand for nothing
};
std::vector<ShownUsage> shown_usages(const HostCommand& command);

// Adds what the text of a value or argument stands for: the words of "best|last|FILE", and files, folders or runs.
// command: nullptr = a run without a command.
void add_shown_values(const HostCommand* command, const std::string& value, Completion& out);

}  // namespace levin::core
