#include "core/base/environment.hpp"

#include <unistd.h>

#include <filesystem>

#include "core/base/text.hpp"

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

std::string find_program(const EnvironmentVariables& variables, const std::string& name) {
  const auto path = variables.find("PATH");
  for (const std::string& folder : split(path == variables.end() ? "" : path->second, ':')) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    if (file.is_absolute() && access(file.c_str(), X_OK) == 0) return file.string();
  }
  return "";
}

}  // namespace levin::core
