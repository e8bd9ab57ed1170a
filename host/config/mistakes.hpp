// Finds all mistakes of a configuration file, where a run would stop at the first one.
#pragma once
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core::config {

struct Mistakes {
  std::vector<Error> errors;         // in the order of the file; each once
  std::vector<std::string> remarks;  // warnings, and what could not be checked
};

// Checks the file with the files that it includes, once as it is and once with each of its profiles. options: arguments
// of a run that complete the file, such as --model X. No plugin code runs.
Mistakes mistakes_of(const std::string& file, const std::vector<std::string>& options);

}  // namespace levin::core::config
