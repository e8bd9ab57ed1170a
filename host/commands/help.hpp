// The help texts of the host. Printing them runs no plugin code.
#pragma once
#include "host/cli/commands.hpp"

namespace levin::core {

void print_help();                                   // for host --help
void print_short_help();                             // for host without arguments
int print_command_help(const HostCommand& command);  // returns 0

}  // namespace levin::core
