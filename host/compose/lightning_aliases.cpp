#include "host/compose/lightning_aliases.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  const json parsed = value.is_string() ? scalar_from_text(value.get<std::string>()) : value;
  return parsed.is_string() ? lower(parsed.get<std::string>()) : parsed.dump();
}

void add_all(std::vector<Setting>& out, const json& settings, const Setting& old) {
  for (const auto& [key, value] : settings.items()) out.push_back({key, value, old.origin, old.rank});
}

std::string said(const std::vector<Setting>& settings) {
  std::vector<std::string> parts;
  for (const auto& s : settings) parts.push_back(s.key + "=" + text_of(s.value));
  return join(parts, ", ");
}

}  // namespace

LightningAliases::LightningAliases(const json& table) {
  for (const auto& [name, entry] : table.items()) {
    entries_[name] = {entry.value("now", ""), entry.value("instead", ""), entry.value("with", json::object()),
                      entry.value("values", json::object()), entry.value("still", false)};
  }
}

bool LightningAliases::is_old(const Entry& entry, const Setting& s, bool is_served) {
  return entry.still ? entry.values.contains(text_of(s.value)) : !is_served;
}

std::vector<Setting> LightningAliases::replaced(const Entry& entry, const Setting& old, std::string& line) {
  const std::string name = after_group(old.key), value = text_of(old.value);
  const std::string way = entry.instead.empty() ? "it is now " + entry.now : entry.instead;
  std::vector<Setting> out;
  auto known = entry.values.find(value);
  if (known == entry.values.end() && value != "null") known = entry.values.find("*");
  if (known != entry.values.end()) {
    add_all(out, *known, old);
    line = name + "=" + value + (out.empty() ? " changes nothing: " + way : " is now " + said(out));
  } else if (value == "null") {
    line = name + "=null changes nothing: " + way;
  } else if (!entry.now.empty()) {
    add_all(out, entry.with, old);
    out.push_back({entry.now, old.value, old.origin, old.rank});
    line = name + " is now " + entry.now;
  } else {
    throw Error(ErrorCode::option_renamed, old.origin + ": " + name + "=" + value + " is an old option: " + way);
  }
  return out;
}

void LightningAliases::rename(std::vector<Setting>& settings, std::vector<std::string>& warnings,
                              const std::function<bool(const std::string&)>& served) const {
  std::vector<Setting> out;
  for (auto& s : settings) {
    const auto entry = group_of(s.key) == "trainer" ? entries_.find(after_group(s.key)) : entries_.end();
    if (entry == entries_.end() || !is_old(entry->second, s, served(entry->first))) {
      out.push_back(std::move(s));
      continue;
    }
    std::string line;
    for (auto& replacement : replaced(entry->second, s, line)) out.push_back(std::move(replacement));
    warnings.push_back(s.origin + ": " + line);
  }
  settings = std::move(out);
}

std::map<std::string, std::string> LightningAliases::names() const {
  std::map<std::string, std::string> out;
  for (const auto& [name, entry] : entries_)
    if (!entry.still) out[name] = entry.now;
  return out;
}

}  // namespace levin::core
