// The commands of the host: how each is called, what the help says about it, and what it does.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

struct HostCommand {
  const char* name;
  const char* listed_as;        // in the list of commands
  const char* summary;          // its line there
  const char* usage;            // behind "usage: " in its own help
  const char* help;             // what follows
  std::optional<Command> runs;  // what the engine is told to do; nullopt: the command answers something, or resumes
  int (*handle)(const std::vector<std::string>& words);

  // A run is the command that nobody types: host --model X ...
  bool is_typed() const { return runs != Command::run; }
};

// In the order of the help.
const std::vector<HostCommand>& host_commands();
const HostCommand* find_command(const std::string& name);  // nullptr: no such command
std::vector<std::string> typed_commands();                 // names

}  // namespace levin::core
