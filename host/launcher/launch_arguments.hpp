// What the command line says about launching. It is of this machine and this moment, so no run saves it.
#pragma once
#include <string>

namespace levin::core {

struct LaunchArguments {
  std::string hosts, hostfile, ssh_command;  // "": not given
  bool any() const { return !hosts.empty() || !hostfile.empty() || !ssh_command.empty(); }
};

}  // namespace levin::core
