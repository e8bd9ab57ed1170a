// Files in a folder that a data module does not read.
#pragma once
#include <cstddef>
#include <map>
#include <string>

namespace common {

using OtherFiles = std::map<std::string, size_t>;  // ending -> number of files: ".gif" -> 3

// "3 .gif, 1 .txt"
inline std::string listed(const OtherFiles& others) {
  std::string text;
  for (const auto& [ending, n] : others)
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + (ending.empty() ? "without ending" : ending);
  return text;
}

// Returns " (but 3 .gif, 1 .txt)" for a message that says which files are missing; "" = there are no others.
inline std::string but_listed(const OtherFiles& others) {
  return others.empty() ? "" : " (but " + listed(others) + ")";
}

}  // namespace common
