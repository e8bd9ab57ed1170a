#include "core/config/old_options.hpp"

#include "core/base/error.hpp"

namespace levin::core {

OldOptions::OldOptions(const nlohmann::json& table) {
  for (const auto& [name, entry] : table.items()) entries_[name] = {entry.value("now", ""), entry.value("instead", "")};
}

void OldOptions::rename(std::vector<Setting>& settings, std::vector<std::string>& warnings) const {
  for (auto& s : settings) {
    if (group_of(s.key) != "trainer") continue;
    const std::string old = after_group(s.key);
    const auto entry = entries_.find(old);
    if (entry == entries_.end()) continue;
    if (entry->second.now.empty())
      throw Error(ErrorKind::usage, s.origin + ": " + old + " is an old option: " + entry->second.instead);
    warnings.push_back(s.origin + ": " + old + " is now " + entry->second.now);
    s.key = entry->second.now;
  }
}

std::vector<std::string> OldOptions::names() const {
  std::vector<std::string> out;
  for (const auto& [name, entry] : entries_) out.push_back(name);
  return out;
}

}  // namespace levin::core
