// Names of files that a file of the data gives.
#pragma once
#include <filesystem>
#include <string>

namespace common {

// Returns true for a name that leads out of the folder to which it is relative, such as /etc/passwd and a/../../b.
inline bool leads_outside(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  return path.is_absolute() || (!path.empty() && *path.begin() == "..");
}

}  // namespace common
