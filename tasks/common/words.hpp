// A command line as names and options, before the values are checked.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tasks/server/server_options.hpp"

namespace levin::core::tasks {

struct WordOption {
  std::string name;
  enum { value, flag, list } kind = value;  // list: may be given several times
};

struct Words {
  std::map<std::string, std::string> options;
  std::map<std::string, std::vector<std::string>> lists;
  std::vector<std::string> names;
  nlohmann::json own = nlohmann::json::object();  // --tasks.NAME, of the component

  std::optional<std::string> get(const std::string& name) const;
  bool has(const std::string& name) const { return options.count(name) > 0; }
  std::vector<std::string> list(const std::string& name) const;
};

// Throws Error{usage} for an option that is unknown, given twice, or lacks its value.
Words read_words(const std::vector<std::string>& all, const std::vector<WordOption>& known);

void add_server_options(std::vector<WordOption>& to);
// Sets the options that are given; files become absolute paths. Throws Error{usage} for files that cannot be used.
void set_server_options(const Words& words, ServerOptions& to);

}  // namespace levin::core::tasks
