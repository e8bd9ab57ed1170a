#include "chosen_columns.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "../csv_columns.hpp"

namespace tables {
namespace {

bool is_pattern(const std::vector<std::string>& names, const std::string& text) {
  return text.find_first_of("*?") != text.npos && std::find(names.begin(), names.end(), text) == names.end();
}

std::vector<size_t> columns_like(const std::vector<std::string>& names, const std::string& pattern,
                                 const std::string& option, const std::string& path) {
  std::vector<size_t> found;
  for (size_t c = 0; c < names.size(); ++c)
    if (!names[c].empty() && fnmatch(pattern.c_str(), names[c].c_str(), 0) == 0) found.push_back(c);
  if (found.empty())
    throw levin::Error(LEVIN_E_INVALID, "--data." + option + ": no column of " + path + " is like '" + pattern + "'");
  return found;
}

}  // namespace

std::vector<size_t> named_columns(const std::vector<std::string>& names, const std::string& list,
                                  const std::string& option, const std::string& path) {
  if (const auto whole = std::find(names.begin(), names.end(), list); whole != names.end())
    return {static_cast<size_t>(whole - names.begin())};
  std::vector<size_t> found;
  for (const std::string& name : common::list_of(list)) {
    const size_t column = common::find_column(names, name, option, path);
    if (std::find(found.begin(), found.end(), column) != found.end())
      throw levin::Error(LEVIN_E_INVALID, "--data." + option + " names the column '" + names[column] + "' twice");
    found.push_back(column);
  }
  return found;
}

std::map<size_t, size_t> chosen_columns(const std::vector<std::string>& names, const std::vector<ColumnList>& lists,
                                        const std::string& path) {
  std::map<size_t, size_t> by_name, by_pattern;
  for (size_t i = 0; i < lists.size(); ++i) {
    const auto choose = [&](std::map<size_t, size_t>& chosen, size_t column) {
      const auto [at, is_new] = chosen.emplace(column, i);
      if (!is_new && at->second != i)
        throw levin::Error(LEVIN_E_INVALID, std::string("--data.") + lists[at->second].option + " and --data." +
                                                lists[i].option + " both name the column '" + names[column] + "'");
    };
    for (const std::string& text : common::list_of(lists[i].columns)) {
      if (!is_pattern(names, text))
        choose(by_name, common::find_column(names, text, lists[i].option, path));
      else
        for (const size_t column : columns_like(names, text, lists[i].option, path)) choose(by_pattern, column);
    }
  }
  by_name.insert(by_pattern.begin(), by_pattern.end());
  return by_name;
}

}  // namespace tables
