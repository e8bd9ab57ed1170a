#include <cstdio>
#include <string>
#include <vector>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/program_name.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/embedded.hpp"

namespace levin::core {
namespace {

const struct Shell {
  const char *name, *script;
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

}  // namespace

int completion_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"completion", {}, {}, 1, false}, arguments);
  if (given.names.empty())
    throw Error(ErrorCode::argument_missing, "host completion: name the shell: bash, zsh or fish");
  for (const Shell& shell : shells)
    if (given.names[0] == shell.name) return std::fputs(script_for_program(shell.script).c_str(), stdout) < 0 ? 1 : 0;
  throw Error(ErrorCode::argument_unexpected, "host completion: there is no script for '" + given.names[0] + "'" +
                                                  did_you_mean(given.names[0], {"bash", "zsh", "fish"}));
}

}  // namespace levin::core
