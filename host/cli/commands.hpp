// The commands of the host: name, help and function of each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

struct HostCommand {
  const char* name;
  const char* listed_as;        // the name in the list of commands
  const char* summary;          // the command's line in that list
  const char* usage;            // the text after "usage: " in the command's own help
  const char* help;             // the rest of the command's own help
  std::optional<Command> runs;  // command that the engine runs; nullopt = the command starts no run, or resumes one
  int (*handle)(const std::vector<std::string>& arguments);

  // Returns false for `run`, which is used without a command name: host --model X ...
  bool is_typed() const { return runs != Command::run; }
};

// In the order of the help.
const std::vector<HostCommand>& host_commands();
const HostCommand* find_command(const std::string& name);  // nullptr = no such command
std::vector<std::string> typed_commands();                 // names of the commands that a user types

}  // namespace levin::core
