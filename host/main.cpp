#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/host_torch.hpp"
#include "core/plugin/describe.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/handlers.hpp"
#include "host/commands/help.hpp"
#include "host/compose/synonyms.hpp"
#include "host/frames.hpp"
#include "host/launcher/nodes/node_agent.hpp"
#include "host/stray_word.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {
namespace {

using Words = std::vector<std::string>;

int print_version(const Words& others) {
  if (!others.empty()) throw Error(ErrorKind::usage, "host --version: '" + others[0] + "' is one word too many");
  std::printf("host %s (ABI %u.%u, LibTorch %s)\n", version, LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR,
              host_torch().version.c_str());
  return 0;
}

[[noreturn]] void refuse_command(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::path(word) / "config.json", ignored))
    throw Error(ErrorKind::usage, "'" + word + "' is a run folder; did you mean host resume " + word + "?");
  if (word.find('/') != std::string::npos || ends_with(word, ".so")) {
    throw Error(ErrorKind::usage, "'" + word + "' is not a command; did you mean --model " + word + "?");
  }
  if (word == "version") throw Error(ErrorKind::usage, "there is no command 'version'; did you mean --version?");
  std::string hint = where_it_belongs(word);
  const auto meant = meant_commands(word, typed_commands());
  if (hint.empty())
    hint = meant.empty() ? did_you_mean(word, typed_commands(), 24) : "; did you mean '" + join(meant, "' or '") + "'?";
  throw Error(ErrorKind::usage, "there is no command '" + word + "'" + hint);
}

bool asks_for_help(const Words& words) {
  return std::count(words.begin(), words.end(), "--help") || std::count(words.begin(), words.end(), "-h");
}

int run_named(const std::string& name, const Words& words) {
  const HostCommand* command = find_command(name);
  if (command == nullptr) refuse_command(name);
  if (asks_for_help(words) && command->handle != help_command) return print_command_help(*command);
  if (!command->is_typed()) refuse_command(name);
  return command->handle(words);
}

void refuse_other_encodings(const Words& words) {
  for (const std::string& word : words)
    if (!is_utf8(word)) throw Error(ErrorKind::usage, "the word '" + word + "' is not UTF-8, and words have to be");
}

int dispatch(const Words& words) {
  if (words.empty()) {
    print_short_help();
    return static_cast<int>(ErrorKind::usage);
  }
  // Hidden commands: the build of a plugin calls the first one, the host itself the second, a crash the third, and a
  // launcher on another machine the fourth.
  if (words.size() == 4 && words[0] == "embed-description" && words[2] == "--objcopy")
    return run_embed(words[1], words[3]);
  const bool trust = words.size() == 3 && words[2] == "--trust";
  if ((words.size() == 2 || trust) && words[0] == "describe") return run_describe(words[1], trust);
  if (words.size() == 1 && words[0] == "name-frames") return print_frames(std::cin, std::cout);
  if (words.size() == 1 && words[0] == "__node") return run_node_agent();
  refuse_other_encodings(words);
  const Words others = {words.begin() + 1, words.end()};
  if (words[0] == "--version") return print_version(others);
  if (words[0] == "--help" || words[0] == "-h") return help_command(others);
  if (words[0][0] != '-') return run_named(words[0], others);
  return run_command(Command::run, words);
}

int report(const std::string& text, int code) {
  std::fprintf(stderr, "host: error: %s\n", printable(text).c_str());
  return code;
}

// Returns the code, or that of an error if the output could not be written because the disk is full or stdout closed.
int with_output_written(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return report("cannot write the answer to the standard output" + reason, static_cast<int>(ErrorKind::run));
}

}  // namespace
}  // namespace levin::core

int main(int argc, char** argv) {
  using levin::core::ErrorKind;
  try {
    return levin::core::with_output_written(levin::core::dispatch({argv + 1, argv + argc}));
  } catch (const levin::core::Error& e) {
    return levin::core::report(e.what(), e.exit_code());
  } catch (const std::exception& e) {
    return levin::core::report(std::string("a defect of the host: ") + e.what(), static_cast<int>(ErrorKind::internal));
  }
}
