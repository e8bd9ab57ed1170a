#include "core/base/environment.hpp"

#include <unistd.h>

namespace levin::core {

EnvironmentVariables environment_variables() {
  EnvironmentVariables out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    const size_t equals = line.find('=');
    if (equals != std::string::npos) out[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return out;
}

}  // namespace levin::core
