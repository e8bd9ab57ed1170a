#include "core/base/error.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/index/plugin_index.hpp"
#include "host/command_line.hpp"
#include "host/commands/handlers.hpp"
#include "host/launch.hpp"

namespace levin::core {

// Finds the file's path and starts the engine, which loads the plugin and reports what is wrong with it.
int check_command(const std::vector<std::string>& words) {
  const InfoArgs given = read_info_args("check", words, 1);
  if (given.names.empty()) throw Error(ErrorKind::usage, "host check FILE: no file is named");
  PluginIndex index(plugin_dirs(given.plugins), given.trust);
  std::vector<std::string> forwarded = {"--check", index.file(given.names[0]).path.string()};
  if (given.trust) forwarded.push_back("--trust");
  launch_engine(forwarded);
}

}  // namespace levin::core
