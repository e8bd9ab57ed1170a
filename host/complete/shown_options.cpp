#include "host/complete/shown_options.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/text.hpp"
#include "host/complete/run_folders.hpp"

namespace levin::core {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_verb_letter(char c) { return is_small(c) || c == '|'; }

// Returns where the text beside the options at the start of a line begins; npos = there is none.
size_t gap_in(const std::string& line) {
  const size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos || line[begin] != '-' ? std::string::npos : line.find("  ", begin);
}

// Returns the value that follows an option's name in a help: "FILE" of " FILE] ...". "" = the option takes none.
std::string shown_value(const std::string& rest) {
  if (rest.size() < 2 || rest[0] != ' ') return "";
  const std::string word = rest.substr(1, rest.find_first_of(" ,;])\n", 1) - 1);
  const bool choice = is_small(word[0]) && word.find('|') != std::string::npos;
  return !word.empty() && (is_capital(word[0]) || choice) ? word : "";
}

void merge(std::vector<ShownOption>& options, ShownOption option) {
  const auto same = [&](const ShownOption& known) { return known.name == option.name; };
  const auto known = std::find_if(options.begin(), options.end(), same);
  if (known == options.end()) return options.push_back(std::move(option));
  if (known->value.empty()) known->value = std::move(option.value);
  if (known->about.empty()) known->about = std::move(option.about);
}

void read_line(const std::string& line, std::vector<ShownOption>& out) {
  const size_t gap = gap_in(line);
  const std::string beside = gap == std::string::npos ? "" : trim(line.substr(gap));
  for (size_t at = line.find('-'); at != std::string::npos; at = line.find('-', at)) {
    const bool begins = at == 0 || std::string(" [|(").find(line[at - 1]) != std::string::npos;
    size_t end = std::min(line.find_first_not_of('-', at), line.size());
    const size_t dashes = end - at;
    while (end < line.size() && (is_small(line[end]) || (dashes == 2 && (line[end] == '_' || line[end] == '-')))) ++end;
    const size_t letters = end - at - dashes;
    const bool whole = end == line.size() || std::string(" ],;:)|").find(line[end]) != std::string::npos;
    if (begins && whole && ((dashes == 2 && letters > 0) || (dashes == 1 && letters == 1)))
      merge(out, {line.substr(at, end - at), shown_value(line.substr(end)), at < gap ? beside : ""});
    at = end;
  }
}

// Returns the verbs of a line of the usage: "host new model|data NAME" has two.
std::vector<std::string> verbs_of(const std::string& line) {
  const std::vector<std::string> words = split(trim(line), ' ');
  const bool has_verbs = words.size() > 2 && std::all_of(words[2].begin(), words[2].end(), is_verb_letter);
  return has_verbs ? split(words[2], '|') : std::vector<std::string>{};
}

}  // namespace

std::vector<ShownOption> shown_options(const HostCommand& command, const std::string& verb) {
  std::vector<ShownOption> out, of_verb, of_others;
  const std::vector<std::string> usage = split(command.usage, '\n');
  for (const std::string& line : usage) read_line(line, out);
  for (const std::string& line : split(command.help, '\n')) read_line(line, out);
  const auto is_of = [&verb](const std::string& line) {
    const std::vector<std::string> verbs = verbs_of(line);
    return std::count(verbs.begin(), verbs.end(), verb) != 0;
  };
  if (std::none_of(usage.begin(), usage.end(), is_of)) return out;
  for (const std::string& line : usage) read_line(line, is_of(line) || verbs_of(line).empty() ? of_verb : of_others);
  const auto is_in = [](const std::vector<ShownOption>& options, const ShownOption& option) {
    return std::any_of(options.begin(), options.end(), [&](const ShownOption& o) { return o.name == option.name; });
  };
  const auto is_foreign = [&](const ShownOption& option) {
    return is_in(of_others, option) && !is_in(of_verb, option);
  };
  out.erase(std::remove_if(out.begin(), out.end(), is_foreign), out.end());
  return out;
}

std::vector<ShownUsage> shown_usages(const HostCommand& command) {
  std::vector<ShownUsage> out;
  for (const std::string& line : split(command.usage, '\n')) {
    std::vector<std::string> words = split(trim(line), ' ');
    ShownUsage usage;
    if (words.size() < 3) continue;
    usage.verbs = verbs_of(line);
    for (size_t i = usage.verbs.empty() ? 2 : 3; i < words.size(); ++i) {
      const bool of_option = starts_with(words[i - 1], "-") || starts_with(words[i - 1], "[-");
      const size_t begin = words[i][0] == '[' ? 1 : 0;
      if ((!of_option || begin == 1) && is_capital(words[i][begin]))
        usage.arguments.push_back(words[i].substr(begin, words[i].find(']') - begin));
    }
    out.push_back(std::move(usage));
  }
  return out;
}

void add_shown_values(const HostCommand* command, const std::string& value, Completion& out) {
  for (const std::string& part : split(value, '|')) {
    if (starts_with(part, "FILE")) out.paths = Completion::Paths::files;
    const bool run = starts_with(part, "RUN"), tasks = command != nullptr && std::string(command->name) == "tasks";
    if (run) tasks ? add_task_folders(out) : add_run_folders(out);
    if (part == "SWEEP") add_sweep_folders(out);
    if (run || part == "SWEEP" || starts_with(part, "DIR") || starts_with(part, "FOLDER"))
      if (out.paths == Completion::Paths::none) out.paths = Completion::Paths::folders;
    if (!part.empty() && std::all_of(part.begin(), part.end(), is_verb_letter)) out.add(part);
  }
}

}  // namespace levin::core
