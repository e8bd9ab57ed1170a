#include "host/complete/quiet_index.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

PluginIndex quiet_index(const std::vector<std::string>& words, const std::vector<std::string>& more_dirs) {
  const std::string option = "--plugins=";
  std::vector<std::string> dirs;
  for (size_t i = 0; i < words.size(); ++i) {
    if (starts_with(words[i], option)) dirs.push_back(words[i].substr(option.size()));
    if (words[i] == "--plugins" && i + 2 < words.size()) dirs.push_back(words[i + 1]);
  }
  dirs.insert(dirs.end(), more_dirs.begin(), more_dirs.end());
  const auto missing = [](const std::string& dir) { return !is_folder(absolute_path(dir)); };
  dirs.erase(std::remove_if(dirs.begin(), dirs.end(), missing), dirs.end());
  Probe probe{host_program()};
  probe.runs_code = false;
  return {plugin_dirs(dirs), std::count(words.begin(), words.end(), "--trust") != 0, probe};
}

}  // namespace levin::core
