#include "host/complete/completion.hpp"

#include <cstdio>
#include <exception>
#include <set>

#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/complete/other_commands.hpp"
#include "host/complete/run_options.hpp"
#include "host/complete/shown_options.hpp"

namespace levin::core {
namespace {

using Words = std::vector<std::string>;

bool has_run_options(const HostCommand& command) {
  const std::string name = command.name;
  return command.runs || name == "resume" || name == "submit" || name == "sweep" || name == "config";
}

// The option whose value is being typed: --model=ml, or --model and then ml.
struct TypedValue {
  std::string option;  // with dashes
  std::string before;  // the part of the word before the value: "--model="
};

TypedValue typed_value(const Words& words) {
  const std::string& word = words.back();
  const size_t equals = word.find('=');
  if (starts_with(word, "--") && equals != std::string::npos)
    return {word.substr(0, equals), word.substr(0, equals + 1)};
  if (words.size() < 2 || starts_with(word, "-")) return {};
  const std::string& last = words[words.size() - 2];
  return starts_with(last, "-") && last.find('=') == std::string::npos ? TypedValue{last, ""} : TypedValue{};
}

// Adds the values of an option. Returns false if the option takes none, so that the word is an argument.
bool add_values_in(const HostCommand* command, bool runs, const Words& words, const TypedValue& value,
                   Completion& out) {
  if (command != nullptr) {
    const bool of_runs = runs && find_run_argument(bare_name(value.option)) != nullptr;
    const std::optional<std::string> shown = of_runs ? std::nullopt : value_of_option(*command, value.option);
    if (shown && (!shown->empty() || !runs)) {
      add_shown_values(command, *shown, out);
      return !shown->empty();
    }
    if (!runs) add_values_of_component(words, bare_name(value.option), out);
  }
  const std::string name = value.option == "-c" ? "config" : bare_name(value.option);
  for (const std::string& flag : names_without_value())
    if (name == flag) return false;
  if (runs) add_values(words, name, words.back().substr(value.before.size()), out);
  return true;
}

void add_words(const HostCommand* command, bool runs, const Words& words, Completion& out) {
  if (starts_with(words.back(), "-")) {
    if (command != nullptr) add_options_of(*command, words, out);
    if (runs) add_options(words, out);
    if (words.size() == 1) out.add("--version", "print the version");
  } else if (words.size() == 1) {
    for (const HostCommand& each : host_commands())
      if (each.is_typed()) out.add(each.name, each.summary);
  } else if (command != nullptr) {
    add_arguments_of(*command, words, out);
  }
  if (!words.back().empty() || !runs || !out.candidates.empty()) return;
  if (command != nullptr) add_options_of(*command, words, out);
  add_run_arguments("", out);
}

Completion all_candidates(const Words& words) {
  Completion out;
  const HostCommand* command = words.size() > 1 ? find_command(words[0]) : nullptr;
  const bool runs = command == nullptr ? starts_with(words[0], "-") : has_run_options(*command);
  const TypedValue value = typed_value(words);
  if (value.option.empty() || !add_values_in(command, runs, words, value, out)) {
    if (value.before.empty()) add_words(command, runs, words, out);
    return out;
  }
  for (Candidate& candidate : out.candidates) candidate.word = value.before + candidate.word;
  return out;
}

}  // namespace

Completion complete(const Words& words) {
  Completion out = all_candidates(words);
  std::vector<Candidate> kept;
  std::set<std::string> seen;
  for (Candidate& candidate : out.candidates)
    if (starts_with(candidate.word, words.back()) && seen.insert(candidate.word).second)
      kept.push_back(std::move(candidate));
  out.candidates = std::move(kept);
  return out;
}

int complete_command(const Words& words) {
  Completion found;
  try {
    found = complete(words.empty() ? Words{""} : words);
  } catch (const std::exception&) {
    return 0;
  }
  for (const Candidate& candidate : found.candidates) {
    // A name that no terminal shows as it is could not be inserted.
    if (printable(candidate.word) != candidate.word || candidate.word.find_first_of("\t\n") != std::string::npos)
      continue;
    std::string about = printable(candidate.about);
    for (char& c : about)
      if (c == '\t' || c == '\n') c = ' ';
    std::printf("%s\t%s\n", candidate.word.c_str(), about.c_str());
  }
  if (found.paths == Completion::Paths::files) std::puts(":files");
  if (found.paths == Completion::Paths::folders) std::puts(":folders");
  return 0;
}

}  // namespace levin::core
