// What the host says about itself and about options. No plugin's code runs for it.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/index/plugin_index.hpp"

namespace levin::core {

void print_help();        // host --help
void print_short_help();  // host without a word
int print_command_help(const std::string& command);
// host help WHAT: "trainer", "data", a command, a plugin file, a component's id.
int help_command(const std::vector<std::string>& words);

}  // namespace levin::core
