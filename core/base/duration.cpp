#include "core/base/duration.hpp"

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.hpp"

namespace levin::core {

std::optional<int64_t> parse_duration(const std::string& text) {
  const auto parts = split(text, ':');
  const int64_t weights[] = {86400, 3600, 60, 1};
  if (parts.size() != 4) return std::nullopt;
  int64_t seconds = 0;
  for (size_t i = 0; i < 4; ++i) {
    const bool digits = !parts[i].empty() && parts[i].find_first_not_of("0123456789") == std::string::npos;
    if (!digits || parts[i].size() > 9) return std::nullopt;
    seconds += weights[i] * std::stoll(parts[i]);
  }
  return seconds;
}

std::optional<double> duration_from_json(const nlohmann::json& value) {
  static const std::map<std::string, double> units = {
      {"weeks", 604800}, {"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
  if (value.is_string()) {
    const auto seconds = parse_duration(value.get<std::string>());
    return seconds ? std::optional<double>(static_cast<double>(*seconds)) : std::nullopt;
  }
  if (!value.is_object() || value.empty()) return std::nullopt;
  double seconds = 0;
  for (const auto& [name, count] : value.items()) {
    const auto unit = units.find(name);
    if (unit == units.end() || !count.is_number() || count.get<double>() < 0) return std::nullopt;
    seconds += unit->second * count.get<double>();
  }
  return seconds;
}

std::string format_duration(int64_t seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%02lld:%02d:%02d:%02d", static_cast<long long>(seconds / 86400),
                static_cast<int>(seconds / 3600 % 24), static_cast<int>(seconds / 60 % 60),
                static_cast<int>(seconds % 60));
  return text;
}

}  // namespace levin::core
