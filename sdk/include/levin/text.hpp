// Numbers and names as text, for files, tables and messages.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

// The shortest text that reads back as the same double, always with a point or an exponent, as Python's repr:
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

// The number with so many digits after the point.
inline std::string fixed(double value, int digits) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, "%.*f", digits, value)), '\0');
  std::snprintf(&text[0], text.size() + 1, "%.*f", digits, value);
  return text;
}

inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The first member of each pair as a list, "a, b"; "nothing" if there are none.
template <class Pairs>
std::string names_of(const Pairs& pairs) {
  std::string text;
  for (const auto& pair : pairs) text += (text.empty() ? "" : ", ") + pair.first;
  return text.empty() ? "nothing" : text;
}

}  // namespace levin
#pragma GCC visibility pop
