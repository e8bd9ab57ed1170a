#include "core/base/error.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/handlers.hpp"
#include "host/cli/launch.hpp"
#include "host/commands/check_options.hpp"

namespace levin::core {

// Finds the file, checks the options against its description and starts the engine, which loads the file.
int check_command(const std::vector<std::string>& arguments) {
  const CheckArguments given = read_check_arguments(arguments);
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
