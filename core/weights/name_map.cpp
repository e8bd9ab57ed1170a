#include "core/weights/name_map.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

// Returns the prefixes of the names: "", "a." and "a.b." for "a.b.weight".
std::set<std::string> beginnings_of(const std::vector<std::string>& names) {
  std::set<std::string> out = {""};
  for (const std::string& name : names)
    for (size_t dot = name.find('.'), level = 0; dot != std::string::npos && level < 3; dot = name.find('.', dot + 1)) {
      out.insert(name.substr(0, dot + 1));
      ++level;
    }
  return out;
}

size_t hits(const NameMap& map, const std::vector<std::string>& file, const std::set<std::string>& model) {
  return static_cast<size_t>(std::count_if(file.begin(), file.end(), [&](const std::string& name) {
    const auto mapped = map(name);
    return mapped && model.count(*mapped) != 0;
  }));
}

}  // namespace

NameMap::NameMap(const nlohmann::json& map, const std::string& where) {
  const std::string wanted = " not a map of name prefixes, such as {\"module.\": \"\", \"head.\": null}";
  if (!map.is_object()) throw Error(ErrorCode::name_map_invalid, where + ": " + show(map) + " is" + wanted);
  for (const auto& [from, to] : map.items()) {
    if (!to.is_string() && !to.is_null())
      throw Error(ErrorCode::name_map_invalid, where + ": " + show(to) + " is" + wanted);
    beginnings_[from] = to.is_null() ? std::nullopt : std::optional<std::string>(to.get<std::string>());
  }
}

std::optional<std::string> NameMap::operator()(const std::string& name) const {
  const std::pair<const std::string, std::optional<std::string>>* longest = nullptr;
  for (const auto& entry : beginnings_)
    if (starts_with(name, entry.first) && (!longest || entry.first.size() > longest->first.size())) longest = &entry;
  if (!longest) return name;
  if (!longest->second) return std::nullopt;
  return *longest->second + name.substr(longest->first.size());
}

nlohmann::json NameMap::to_json() const {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [from, to] : beginnings_) out[from] = to ? nlohmann::json(*to) : nlohmann::json(nullptr);
  return out;
}

std::optional<NameMap> suggested_map(const std::vector<std::string>& file, const std::vector<std::string>& model) {
  const std::set<std::string> names(model.begin(), model.end());
  size_t most = hits({}, file, names);
  std::optional<NameMap> best;
  const auto consider = [&](const std::string& from, const std::string& to) {
    NameMap map(nlohmann::json{{from, to}}, "");
    const size_t n = hits(map, file, names);
    if (n <= most) return;
    most = n;
    best = std::move(map);
  };
  const auto of_file = beginnings_of(file), of_model = beginnings_of(model);
  if (of_file.size() * of_model.size() > 10000) return best;
  for (const std::string& from : of_file)
    for (const std::string& to : of_model)
      if (from.empty() != to.empty()) consider(from, to);
  return best;
}

}  // namespace levin::core
