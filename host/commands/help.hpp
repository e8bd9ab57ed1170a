// What the host says about itself. No plugin's code runs for it.
#pragma once
#include "host/commands/commands.hpp"

namespace levin::core {

void print_help();                                   // host --help
void print_short_help();                             // host without a word
int print_command_help(const HostCommand& command);  // returns 0

}  // namespace levin::core
