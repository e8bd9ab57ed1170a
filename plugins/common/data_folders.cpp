#include "data_folders.hpp"

#include <cstdlib>

namespace common {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::vector<std::string> data_folders() {
  std::string home = environment("XDG_DATA_HOME");
  if (home.empty() && !environment("HOME").empty()) home = environment("HOME") + "/.local/share";
  std::vector<std::string> folders = {"/usr/share/datasets", "/usr/local/share/datasets"};
  if (home.empty()) return folders;
  folders.push_back(home + "/datasets");
  folders.push_back(home);
  return folders;
}

}  // namespace common
