// Finds plugins without running code of one and without writing anything.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/plugin_index.hpp"

namespace levin::core {

// words: those of the command line, of which --plugins DIR and --trust count. A DIR that is no folder is left out. A
// plugin file without a description counts only if another command has described it before.
PluginIndex quiet_index(const std::vector<std::string>& words, const std::vector<std::string>& more_dirs = {});

}  // namespace levin::core
