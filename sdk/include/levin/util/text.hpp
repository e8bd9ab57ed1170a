// Numbers and names as text, for files, tables and messages.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

// Returns the shortest text that reads back as the same double, always with a point or an exponent, like Python's repr:
// 1.0, 0.1, 1e-07, 1e+20, nan, inf, -inf.
inline std::string shortest(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  const double size = std::fabs(value);
  const auto format =
      size == 0 || (size >= 1e-4 && size < 1e16) ? std::chars_format::fixed : std::chars_format::scientific;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
  if (format == std::chars_format::fixed && text.find('.') == std::string::npos) text += ".0";
  return text;
}

// Returns the number with this many digits after the point.
inline std::string fixed(double value, int digits) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, "%.*f", digits, value)), '\0');
  std::snprintf(&text[0], text.size() + 1, "%.*f", digits, value);
  return text;
}

// Formats a duration as "1:12" or "1:01:12"; "?" if it is not finite.
inline std::string clock_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  const long long s = static_cast<long long>(seconds);
  char text[40];
  if (s >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02d:%02d", s / 3600, static_cast<int>(s / 60 % 60),
                  static_cast<int>(s % 60));
  else
    std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(s / 60), static_cast<int>(s % 60));
  return text;
}

// Formats a metric with three or four significant digits: 0.123, 45.60, 1.23e-05.
inline std::string metric_text(double value) {
  if (!std::isfinite(value)) return shortest(value);
  const double size = std::fabs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2e", value);
    return text;
  }
  if (std::trunc(value) == value) return fixed(value, 1);
  return fixed(value, size < 10 ? 3 : size < 1000 ? 2 : 1);
}

inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Returns the first member of each pair as a list, "a, b"; "nothing" if there are no pairs.
template <class Pairs>
std::string names_of(const Pairs& pairs) {
  std::string text;
  for (const auto& pair : pairs) text += (text.empty() ? "" : ", ") + pair.first;
  return text.empty() ? "nothing" : text;
}

}  // namespace levin
#pragma GCC visibility pop
