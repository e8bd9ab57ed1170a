// The options that every run has before its components are known: the source of their help, parsing and completion.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct RunArgument {
  const char* name;   // "" = a line of the help that stands for several options
  const char* value;  // its value as the help shows it: "FILE"; "" = the option takes none
  const char* help;   // may have several lines
  // Returns "--config FILE".
  std::string shown() const;
};

// In the order of the help.
const std::vector<RunArgument>& run_arguments();
const RunArgument* find_run_argument(const std::string& name);  // nullptr = no such option

}  // namespace levin::core
