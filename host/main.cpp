#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/host_torch.hpp"
#include "core/plugin/describe.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/index/plugin_index.hpp"
#include "host/answers.hpp"
#include "host/command_line.hpp"
#include "host/doctor.hpp"
#include "host/help.hpp"
#include "host/launch.hpp"
#include "host/run.hpp"
#include "host/stray_word.hpp"

namespace levin::core {
namespace {

using Words = std::vector<std::string>;

// The engine is given the file's path; what is wrong with it is for the engine to say.
int check_command(const Words& words) {
  const AnswerWords given = read_answer_words("check", words, 1);
  if (given.names.empty()) throw Error(ErrorKind::usage, "host check FILE: no file is named");
  PluginIndex index(plugin_dirs(given.plugins), given.trust);
  Words forwarded = {"--check", index.file(given.names[0]).path.string()};
  if (given.trust) forwarded.push_back("--trust");
  launch_engine(forwarded);
}

int print_version(const Words& others) {
  if (!others.empty()) throw Error(ErrorKind::usage, "host --version: '" + others[0] + "' is one word too many");
  std::printf("host %s (ABI %u.%u, LibTorch %s)\n", version, LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR,
              host_torch().version.c_str());
  return 0;
}

[[noreturn]] void refuse_command(const std::string& word) {
  if (word.find('/') != std::string::npos || ends_with(word, ".so")) {
    throw Error(ErrorKind::usage, "'" + word + "' is not a command; did you mean --model " + word + "?");
  }
  const std::string place = where_it_belongs(word);
  throw Error(ErrorKind::usage,
              "there is no command '" + word + "'" + (place.empty() ? did_you_mean(word, known_commands()) : place));
}

int run_named(const std::string& command, const Words& words) {
  const bool asks_help =
      std::count(words.begin(), words.end(), "--help") || std::count(words.begin(), words.end(), "-h");
  if (asks_help && command != "help" && print_command_help(command) == 0) return 0;
  if (command == "resume") return resume_command(words);
  if (command == "plugins") return plugins_command(words);
  if (command == "inspect") return inspect_command(words);
  if (command == "check") return check_command(words);
  if (command == "doctor") return doctor_command(words);
  if (command == "help") return help_command(words);
  const auto runs = value_named<Command>(command);
  if (runs && *runs != Command::run) return run_command(*runs, words);
  refuse_command(command);
}

int dispatch(const Words& words) {
  if (words.empty()) {
    print_short_help();
    return static_cast<int>(ErrorKind::usage);
  }
  // Called by the build of a plugin and by the host itself.
  if (words.size() == 4 && words[0] == "embed-description" && words[2] == "--objcopy")
    return run_embed(words[1], words[3]);
  if (words.size() == 2 && words[0] == "describe") return run_describe(words[1]);
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

// An answer that nobody gets is none: a disk may be full, a descriptor closed.
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
