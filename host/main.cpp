#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/did_you_mean.hpp"
#include "core/base/error_line.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/describe.hpp"
#include "host/cli/command_line.hpp"
#include "host/cli/commands.hpp"
#include "host/complete/completion.hpp"
#include "host/compose/suggestions.hpp"
#include "host/man/manual.hpp"
#include "launch/nodes/node_agent.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {
namespace {

using Words = std::vector<std::string>;

int print_version(const Words& others) {
  if (!others.empty())
    throw Error(ErrorCode::argument_unexpected, "host --version: unexpected argument '" + others[0] + "'");
  std::printf("%s %s (ABI %u.%u, LibTorch %s)\n", command_name(), host_version, LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR,
              host_torch().version.c_str());
  return 0;
}

[[noreturn]] void refuse_command(const std::string& word) {
  if (is_present(std::filesystem::path(word) / "config.json"))
    throw Error(ErrorCode::command_unknown,
                "'" + word + "' is a run folder" + did_you_mean_one_of({"host resume " + word}, "", ""));
  if (word.find('/') != std::string::npos || ends_with(word, ".so")) {
    throw Error(ErrorCode::command_unknown,
                "'" + word + "' is not a command" + did_you_mean_one_of({"--model " + word}, "", ""));
  }
  if (word == "version")
    throw Error(ErrorCode::command_unknown, "there is no command 'version'" + did_you_mean_one_of({word}, "--", ""));
  std::string hint = where_it_belongs(word);
  if (hint.empty()) hint = did_you_mean_command(word, typed_commands(), 40);
  throw Error(ErrorCode::command_unknown, "there is no command '" + word + "'" + hint);
}

bool asks_for_help(const Words& arguments) {
  return std::count(arguments.begin(), arguments.end(), "--help") ||
         std::count(arguments.begin(), arguments.end(), "-h");
}

int run_named(const std::string& name, const Words& arguments) {
  const HostCommand* command = find_command(name);
  if (command == nullptr) refuse_command(name);
  if (asks_for_help(arguments)) return print_command_help(*command);
  if (!command->is_typed()) refuse_command(name);
  return command->start(arguments);
}

void refuse_other_encodings(const Words& arguments) {
  for (const std::string& word : arguments)
    if (!is_utf8(word)) throw Error(ErrorCode::text_not_utf8, "argument '" + word + "' is not UTF-8");
}

int dispatch(const Words& arguments) {
  if (arguments.empty()) {
    print_short_help();
    return static_cast<int>(ErrorKind::usage);
  }
  // Hidden commands: the build of a plugin calls the first one, the host itself the second, a launcher on another
  // machine the third, a shell the fourth, and the installation of Levin the last.
  const bool embeds = arguments.size() >= 4 && arguments[0] == "embed-description" && arguments[2] == "--objcopy";
  if (embeds && arguments.size() == 4) return run_embed(arguments[1], arguments[3]);
  if (embeds && arguments.size() == 6 && arguments[4] == "--sources")
    return run_embed(arguments[1], arguments[3], arguments[5]);
  const bool trust = arguments.size() == 3 && arguments[2] == "--trust";
  if ((arguments.size() == 2 || trust) && arguments[0] == "describe") return run_describe(arguments[1], trust);
  if (arguments.size() == 1 && arguments[0] == "__node") return run_node_agent();
  if (arguments[0] == "__complete") return complete_command({arguments.begin() + 1, arguments.end()});
  if (arguments.size() == 2 && arguments[0] == "__man") return write_manual(arguments[1]);
  refuse_other_encodings(arguments);
  const Words others = {arguments.begin() + 1, arguments.end()};
  if (arguments[0] == "--version") return print_version(others);
  if (arguments[0] == "--help" || arguments[0] == "-h") return help_command(others);
  if (arguments[0][0] != '-') return run_named(arguments[0], others);
  return run_command(Command::run, arguments);
}

// Returns the code, or that of an error if the output could not be written because the disk is full or stdout closed.
int with_output_written(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return report_error(Error(ErrorCode::output_not_written, "cannot write to the standard output" + reason), "the host");
}

}  // namespace
}  // namespace levin::core

int main(int argc, char** argv) {
  levin::core::name_program(argc > 0 ? argv[0] : "");
  try {
    return levin::core::with_output_written(levin::core::dispatch({argv + 1, argv + argc}));
  } catch (const std::exception& e) {
    return levin::core::report_error(e, "the host");
  }
}
