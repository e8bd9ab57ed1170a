#include "core/plugin/more_plugins.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace levin::core {

std::string how_to_get(const std::string& id) {
  for (const std::string& row : split(LEVIN_MORE_PLUGINS, '\n')) {  // the plugin, and its components
    const std::vector<std::string> words = split(row, ' ');
    if (std::find(words.begin() + 1, words.end(), id) != words.end())
      return "; '" + id + "' is in Levin's plugin " + words[0] +
             ", which is not in the plugin folders: build it with scripts/build --plugins " + words[0] +
             ", or install the package levin-plugins";
  }
  return "";
}

}  // namespace levin::core
