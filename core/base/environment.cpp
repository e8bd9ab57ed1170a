#include "core/base/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
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

bool has_threads_of_user(const EnvironmentVariables& variables) {
  const auto threads = variables.find("OMP_NUM_THREADS"), chosen = variables.find(chosen_threads_variable);
  return threads != variables.end() && (chosen == variables.end() || chosen->second != threads->second);
}

std::string find_program(const EnvironmentVariables& variables, const std::string& name) {
  const auto path = variables.find("PATH");
  for (const std::string& folder : split(path == variables.end() ? "" : path->second, ':')) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    if (file.is_absolute() && access(file.c_str(), X_OK) == 0) return file.string();
  }
  return "";
}

std::chrono::milliseconds heartbeat_timeout() {
  constexpr double most = 1e9;
  const char* given = std::getenv("LEVIN_HEARTBEAT_TIMEOUT");
  const double seconds = given ? std::atof(given) : 0;
  return std::chrono::milliseconds(seconds > 0 ? static_cast<int64_t>(std::min(seconds, most) * 1000) : 15000);
}

}  // namespace levin::core
