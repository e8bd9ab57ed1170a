#include "core/base/error.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/index/plugin_index.hpp"
#include "host/commands/check_options.hpp"
#include "host/commands/handlers.hpp"
#include "host/launch.hpp"

namespace levin::core {

// Finds the file, checks the options against what it says of itself and starts the engine, which loads it.
int check_command(const std::vector<std::string>& words) {
  const CheckWords given = read_check_words(words);
  PluginIndex index(plugin_dirs(given.plugins), given.trust);
  const PluginFile& file = index.file(given.file);
  if (!file.problem.empty()) throw Error(ErrorKind::plugin, file.problem);
  launch_check({{"file", file.path.string()},
                {"trust", given.trust},
                {"json", given.json},
                {"seconds", given.seconds},
                {"options", check_options(given, file.schema)}});
}

}  // namespace levin::core
