#include "host/cli/arguments.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/compose/suggestions.hpp"

namespace levin::core {
namespace {

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Throws Error{usage} for a word with dashes that cannot be an option of any run.
void check_form(const std::string& word) {
  if (!starts_with(word, "--")) return;
  const std::string name = bare_name(word);
  if (word == "--") throw Error(ErrorCode::option_unknown, "'--' alone is not an option");
  if (name.empty())
    throw Error(ErrorCode::option_unknown, "'" + word + "' names no option; write --NAME VALUE or --NAME=VALUE");
  if (word[2] == '-')
    throw Error(ErrorCode::argument_unexpected,
                "'" + word + "': an option begins with two dashes" + did_you_mean_one_of({name}, "--", ""));
  const std::vector<std::string> parts = split(name, '.');
  if (std::find(parts.begin(), parts.end(), "") == parts.end()) return;
  throw Error(ErrorCode::argument_unexpected, "--" + name + " has a part without a name; use --" +
                                                  (parts[0].empty() ? "GROUP" : parts[0]) + ".OPTION VALUE");
}

std::string short_dashes(const std::string& word) {
  if (word == "-h") return "--help";
  return word == "-c" ? "--config" : word;
}

std::string unknown_option(const std::string& word, const ArgumentRules& rules) {
  std::vector<std::string> known = rules.flags;
  known.insert(known.end(), rules.values.begin(), rules.values.end());
  const std::vector<std::string> meant = meant_options(bare_name(word), known);
  return "there is no option " + word.substr(0, word.find('=')) + " here" +
         (known.empty()   ? "; it takes no options"
          : meant.empty() ? "; it takes --" + join(known, ", --")
                          : did_you_mean_one_of(meant, "--", ""));
}

std::vector<std::string> names_of(bool with_value) {
  std::vector<std::string> out;
  for (const RunArgument& argument : run_arguments())
    if (argument.name[0] != '\0' && (argument.value[0] != '\0') == with_value) out.emplace_back(argument.name);
  return out;
}
}  // namespace

const std::vector<std::string>& names_with_value() {
  static const std::vector<std::string> names = names_of(true);
  return names;
}

const std::vector<std::string>& names_without_value() {
  static const std::vector<std::string> names = names_of(false);
  return names;
}

bool is_fixed(const std::string& name) { return find_run_argument(name) != nullptr; }

std::vector<std::string> fixed_names() {
  std::vector<std::string> names = names_with_value();
  names.insert(names.end(), names_without_value().begin(), names_without_value().end());
  names.emplace_back("version");
  return names;
}

std::string bare_name(const std::string& word) {
  const std::string name = word.substr(std::min(word.size(), word.find_first_not_of('-')));
  return name.substr(0, name.find('='));
}

std::vector<std::string> normalized(std::vector<std::string> arguments) {
  std::transform(arguments.begin(), arguments.end(), arguments.begin(), short_dashes);
  for (const std::string& word : arguments) check_form(word);
  return arguments;
}

bool may_be_value(const std::vector<std::string>& arguments, size_t place) {
  if (place == 0 || !starts_with(arguments[place - 1], "--") || starts_with(arguments[place], "--")) return false;
  const std::string before = arguments[place - 1].substr(2);
  return before.find('=') == std::string::npos && !is_one_of(before, names_without_value());
}

bool is_short_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
}

std::vector<std::string> meant_by_short(const std::string& word) {
  const std::string name = bare_name(word);
  if (name.size() != 1) return meant_options(name, fixed_names());
  std::vector<std::string> out;
  for (const std::string& fixed : fixed_names())
    if (lower(fixed).substr(0, 1) == lower(name)) out.push_back(fixed);
  return out;
}

std::optional<std::string> take_option(std::vector<std::string>& arguments, const std::string& name) {
  const std::string option = "--" + name;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool joined = starts_with(arguments[i], option + "=");
    if (!joined && arguments[i] != option) continue;
    if (!joined && i + 1 == arguments.size()) throw Error(ErrorCode::argument_missing, option + ": a value is missing");
    std::string value = joined ? arguments[i].substr(option.size() + 1) : arguments[i + 1];
    const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(begin, begin + (joined ? 1 : 2));
    return value;
  }
  return std::nullopt;
}

bool Arguments::has(const std::string& option) const {
  return std::any_of(options.begin(), options.end(), [&](const auto& given) { return given.first == option; });
}

std::string Arguments::value(const std::string& option) const {
  const auto is_it = [&](const auto& given) { return given.first == option; };
  const auto found = std::find_if(options.begin(), options.end(), is_it);
  return found == options.end() ? "" : found->second;
}

std::vector<std::string> Arguments::plugins() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : options)
    if (name == "plugins") out.push_back(value);
  return out;
}

Arguments read_arguments(const ArgumentRules& rules, const std::vector<std::string>& given) {
  const auto refuse = [&](ErrorCode code, const std::string& what) {
    throw Error(code, "host " + rules.command + ": " + what);
  };
  const std::vector<std::string> words = normalized(given);
  Arguments out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!starts_with(words[i], "-")) {
      out.names.push_back(words[i]);
      continue;
    }
    const std::string name = bare_name(words[i]);
    const bool flag = is_one_of(name, rules.flags), valued = is_one_of(name, rules.values);
    if (!starts_with(words[i], "--") || (!flag && !valued && !rules.others))
      refuse(ErrorCode::option_unknown, unknown_option(words[i], rules));
    const size_t equals = words[i].find('=');
    if (flag && equals != std::string::npos) refuse(ErrorCode::argument_unexpected, "--" + name + " takes no value");
    if (valued && name != "plugins" && out.has(name))
      refuse(ErrorCode::options_conflict, "--" + name + " is given twice");
    const bool follows =
        !flag && equals == std::string::npos && i + 1 < words.size() && !starts_with(words[i + 1], "--");
    std::string value = follows || equals == std::string::npos ? "" : words[i].substr(equals + 1);
    if (follows) value = words[++i];
    if (valued && value.empty()) refuse(ErrorCode::argument_missing, "--" + name + ": a value is missing");
    out.options.emplace_back(name, std::move(value));
  }
  if (out.names.size() > rules.most_names)
    refuse(ErrorCode::argument_unexpected, "unexpected argument '" + out.names[rules.most_names] + "'; see host help " +
                                               rules.command.substr(0, rules.command.find(' ')));
  return out;
}

}  // namespace levin::core
