#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/config/verbs.hpp"
#include "host/config_files/write_config.hpp"

namespace levin::core::config {

int show(const ConfigArguments& arguments) {
  const std::string other = arguments.has("json") ? "json" : "yaml";
  const std::string format = arguments.has("format") ? arguments.own.at("format") : other;
  if (arguments.has("json") && format != "json")
    throw Error(ErrorCode::options_conflict, "--json and --format " + format + " contradict each other; leave one out");
  const std::vector<std::string> formats = {"yaml", "toml", "json"};
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    throw Error(ErrorCode::option_value_invalid, unknown_name("--format: there is no", format, formats));
  const auto print = [&](const BuiltRun& run) {
    for (const std::string& warning : run.warnings) print_message("warning", warning);
    const ConfigLine tree = config_tree(run);
    std::fputs(write_config(arguments.has("origins") ? tree : without_comments(tree), "run." + format).c_str(), stdout);
    return 0;
  };
  return with_run(Command::run, run_arguments_of(arguments.names, arguments.options), print);
}

}  // namespace levin::core::config
