// `host check`: checks one plugin file against the rules that every plugin has to obey (docs/plugin-check.md).
#pragma once
#include <string>

namespace levin::core {

// Prints each rule and its verdict. Returns 0 if all rules hold, else the exit code of a bad plugin.
int check_plugin(const std::string& file, bool trust);

}  // namespace levin::core
