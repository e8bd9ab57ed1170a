// The command-line options for launching. They apply to this machine and this start only, so they are not saved with
// the run.
#pragma once
#include <string>

namespace levin::core {

struct LaunchArguments {
  std::string hosts, hostfile, ssh_command;  // empty = not given
  bool any() const { return !hosts.empty() || !hostfile.empty() || !ssh_command.empty(); }
};

}  // namespace levin::core
