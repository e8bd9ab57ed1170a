// Durations as users write them. Includes no header of Levin, because the core uses it too (scripts/check_layout).
#pragma once
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

// Number of digits of hours, minutes and seconds. Days may have any number of digits.
enum class DurationDigits { two, any };

namespace detail {

inline std::string without_blanks_around(const std::string& text) {
  const char* blanks = " \t\n\r\f\v";
  const size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Parses DD:HH:MM:SS. With DurationDigits::any, blanks around each number are ignored.
inline std::optional<double> seconds_of_clock(const std::string& text, DurationDigits digits) {
  const double units[] = {86400, 3600, 60, 1};
  double seconds = 0;
  size_t start = 0;
  for (int part = 0; part < 4; ++part) {
    const size_t end = part == 3 ? text.size() : text.find(':', start);
    if (end == std::string::npos) return std::nullopt;
    const std::string written = text.substr(start, end - start);
    const std::string number = digits == DurationDigits::any ? without_blanks_around(written) : written;
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    if (digits == DurationDigits::two && part > 0 && number.size() != 2) return std::nullopt;
    seconds += units[part] * std::strtod(number.c_str(), nullptr);
    start = end + 1;
  }
  return seconds;
}

// Returns the seconds in one of "weeks", "days", "hours", "minutes" or "seconds"; 0 for other names.
inline double seconds_of_unit(const std::string& name) {
  return name == "weeks"     ? 604800.0
         : name == "days"    ? 86400.0
         : name == "hours"   ? 3600.0
         : name == "minutes" ? 60.0
         : name == "seconds" ? 1.0
                             : 0.0;
}

// Parses {"hours": 2, "minutes": 30}.
inline std::optional<double> seconds_of_object(const std::string& text) {
  std::string body;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) body += c;
  if (body == "{}") return 0;
  double seconds = 0;
  for (size_t at = 1; at < body.size();) {
    const size_t close = body[at] == '"' ? body.find('"', at + 1) : std::string::npos;
    if (close == std::string::npos || body[close + 1] != ':') return std::nullopt;
    const double unit = seconds_of_unit(body.substr(at + 1, close - at - 1));
    char* end = nullptr;
    seconds += unit * std::strtod(body.c_str() + close + 2, &end);
    at = static_cast<size_t>(end - body.c_str());
    if (unit == 0 || at == close + 2 || seconds < 0) return std::nullopt;
    if (body.compare(at, std::string::npos, "}") == 0) return seconds;
    if (body[at++] != ',') return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace detail

// Returns the seconds of "DD:HH:MM:SS", with or without blanks around it, or of a JSON object of weeks, days, hours,
// minutes and seconds, {"hours": 2, "minutes": 30}. The text may be quoted, like the value of a json option. Returns
// nullopt for other texts.
inline std::optional<double> parse_duration(std::string text, DurationDigits digits = DurationDigits::two) {
  text = detail::without_blanks_around(text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = detail::without_blanks_around(text.substr(1, text.size() - 2));
  const bool is_object = !text.empty() && text.front() == '{';
  return is_object ? detail::seconds_of_object(text) : detail::seconds_of_clock(text, digits);
}

// Formats whole seconds as "DD:HH:MM:SS".
inline std::string format_duration(int64_t seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%02lld:%02d:%02d:%02d", static_cast<long long>(seconds / 86400),
                static_cast<int>(seconds / 3600 % 24), static_cast<int>(seconds / 60 % 60),
                static_cast<int>(seconds % 60));
  return text;
}

}  // namespace levin
#pragma GCC visibility pop
