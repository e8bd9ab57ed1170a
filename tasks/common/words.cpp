#include "tasks/common/words.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

[[noreturn]] void refuse_words(ErrorCode code, const std::string& what) { throw Error(code, "host tasks: " + what); }

WordOption option_of(const std::string& name, const std::vector<WordOption>& known) {
  std::vector<std::string> names;
  for (const WordOption& option : known) {
    if (option.name == name) return option;
    names.push_back(option.name);
  }
  refuse_words(ErrorCode::option_unknown, "there is no option --" + name + did_you_mean(name, names, 20));
}

}  // namespace

std::optional<std::string> Words::get(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Words::list(const std::string& name) const {
  const auto found = lists.find(name);
  return found == lists.end() ? std::vector<std::string>() : found->second;
}

Words read_words(const std::vector<std::string>& all, const std::vector<WordOption>& known) {
  Words out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!starts_with(all[i], "--")) {
      out.names.push_back(all[i]);
      continue;
    }
    const size_t equals = all[i].find('=');
    const std::string name = all[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool own = starts_with(name, "tasks.");
    const WordOption option = own ? WordOption{name} : option_of(name, known);
    const bool flag = option.kind == WordOption::flag;
    const bool follows = i + 1 < all.size() && !starts_with(all[i + 1], "--");
    std::string value;
    if (equals != std::string::npos)
      value = all[i].substr(equals + 1);
    else if (!flag && follows)
      value = all[++i];
    else if (!flag && !own)
      refuse_words(ErrorCode::argument_missing, "--" + name + ": a value is missing");
    const bool bare = equals == std::string::npos && !follows;
    if (own)
      out.own[name.substr(6)] = bare ? nlohmann::json(true) : nlohmann::json(value);
    else if (option.kind == WordOption::list)
      out.lists[name].push_back(value);
    else if (!out.options.emplace(name, value).second)
      refuse_words(ErrorCode::options_conflict, "--" + name + " is given twice");
  }
  return out;
}

void add_server_options(std::vector<WordOption>& to) {
  for (const ServerOption& option : server_options()) to.push_back({option.name});
}

void set_server_options(const Words& words, ServerOptions& to) {
  for (const ServerOption& option : server_options())
    if (const auto value = words.get(option.name))
      to.*option.member = option.is_file ? absolute_path(*value).string() : *value;
  check_server_options(to);
}

}  // namespace levin::core::tasks
