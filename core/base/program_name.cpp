#include "core/base/program_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr const char* variable = "LEVIN_PROGRAM";
constexpr const char* usual = "host";

// The words that follow the name in a hint: the table of commands, which the programs in libexec do not link. The test
// program_name fails if one is missing.
constexpr const char* commands[] = {"board",   "check",  "ckpt",   "completion", "config",   "doctor", "explain",
                                    "export",  "fit",    "help",   "inspect",    "install",  "new",    "plugins",
                                    "predict", "report", "resume", "runs",       "submit",   "sweep",  "tasks",
                                    "test",    "trial",  "tune",   "uninstall",  "validate", "watch"};

struct Name {
  char text[33] = "host";
  void set(const std::string& name) {
    if (name.size() < sizeof text) std::copy_n(name.c_str(), name.size() + 1, text);
  }
};
Name line, command;
bool has_trainer = false;  // LEVIN_PROGRAM may give the lines and the hints of such a program the same name

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-.+", c) != nullptr; }
bool is_name(const std::string& name) {
  return !name.empty() && name.size() < sizeof Name::text && name[0] != '-' && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), is_of_name);
}

// The environment names the program of a process that the host starts.
[[maybe_unused]] const bool named_by_environment = [] {
  const char* name = std::getenv(variable);
  if (name == nullptr || !is_name(name)) return false;
  line.set(name);
  command.set(name);
  return true;
}();

bool is_hint(const std::string& text, size_t after) {
  if (text.compare(after, 3, " --") == 0 || text.compare(after, 2, " [") == 0) return true;
  if (after >= text.size() || text[after] != ' ') return false;
  const size_t end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(after) + 1, text.end(),
                                      [](unsigned char c) { return std::islower(c); }) -
                     text.begin();
  const std::string word = text.substr(after + 1, end - after - 1);
  return std::any_of(std::begin(commands), std::end(commands), [&](const char* known) { return word == known; });
}

bool begins_line(const std::string& text, size_t at) {
  return at == 0 || text[at - 1] == '\n' || (at > 1 && text[at - 1] == ' ' && text[at - 2] == ']');
}

// Calls name(at, behind) for each word `host` that no letter or digit touches; replaces it by what it returns, unless
// that is nullptr.
template <class F>
std::string replaced(const std::string& text, const F& name) {
  std::string out;
  size_t from = 0;
  for (size_t at = text.find(usual); at != std::string::npos; at = text.find(usual, at + 1)) {
    const size_t behind = at + std::strlen(usual);
    const char* const by = name(at, behind);
    if (by == nullptr) continue;
    out += text.substr(from, at - from) + by;
    from = behind;
  }
  return out + text.substr(from);
}

}  // namespace

void name_program(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == usual || !is_name(name)) return;
  line.set(name);
  command.set(name);
  ::setenv(variable, name.c_str(), 1);
}

void name_lines(const char* name) {
  line.set(name);
  has_trainer = true;
}
const char* line_name() { return line.text; }
const char* command_name() { return command.text; }
bool is_host_program() { return !has_trainer; }

std::string with_program_name(std::string text) {
  if (std::strcmp(line.text, usual) == 0 && std::strcmp(command.text, usual) == 0) return text;
  return replaced(text, [&](size_t at, size_t behind) -> const char* {
    if (text.compare(behind, 2, ": ") == 0 && begins_line(text, at)) return line.text;
    const bool apart = at == 0 || (!is_of_name(text[at - 1]) && text[at - 1] != '/');
    return apart && is_hint(text, behind) ? command.text : nullptr;
  });
}

void print_message(const char* level, const std::string& text) {
  std::fprintf(stderr, "%s: %s%s%s\n", line.text, level, *level ? ": " : "",
               with_program_name(printable(text)).c_str());
}

std::string script_for_program(std::string script) {
  if (std::strcmp(command.text, usual) == 0) return script;
  std::string function = command.text;
  std::replace_if(
      function.begin(), function.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return replaced(script, [&](size_t at, size_t behind) -> const char* {
    const char before = at == 0 ? ' ' : script[at - 1], after = behind < script.size() ? script[behind] : ' ';
    if (before == '_') return function.c_str();
    return is_of_name(before) || is_of_name(after) ? nullptr : command.text;
  });
}

size_t behind_error(const std::string& text) {
  const std::string mark = ": error";
  const size_t at = text.find(mark);
  if (at == std::string::npos || !is_name(text.substr(0, at))) return std::string::npos;
  size_t behind = at + mark.size();
  if (text.compare(behind, 2, "[E") == 0 && behind + 7 < text.size() && text[behind + 6] == ']') behind += 7;
  return text.compare(behind, 2, ": ") == 0 ? behind + 2 : std::string::npos;
}

}  // namespace levin::core
