// The commands of the host, each with its name, its help and its function.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

struct HostCommand {
  const char* name;
  const char* listed_as;        // in the list of commands
  const char* summary;          // the command's line in that list
  const char* usage;            // the text after "usage: " in the command's own help
  const char* help;             // the rest of that help
  std::optional<Command> runs;  // what the engine runs; nullopt: the command starts no run, or resumes one
  int (*handle)(const std::vector<std::string>& arguments);

  // `run` is the command that is not typed: host --model X ...
  bool is_typed() const { return runs != Command::run; }
};

// In the order of the help.
const std::vector<HostCommand>& host_commands();
const HostCommand* find_command(const std::string& name);  // nullptr: no such command
std::vector<std::string> typed_commands();                 // names

}  // namespace levin::core
