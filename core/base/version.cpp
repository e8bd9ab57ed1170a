#include "core/base/version.hpp"

#include <algorithm>

namespace levin::core {
namespace {

// Removes and returns the part of the text before the separator.
std::string_view take(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

int sign(int x) { return (x > 0) - (x < 0); }

// Numbers of any length are compared without leading zeros, so that the longer one is the larger one. Other parts are
// compared as text.
int compare_parts(std::string_view a, std::string_view b) {
  const auto trimmed = [](std::string_view part) {
    part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
    return part;
  };
  const auto is_number = [](std::string_view part) {
    return part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!is_number(a) || !is_number(b)) return sign(a.compare(b));
  a = trimmed(a);
  b = trimmed(b);
  return a.size() != b.size() ? (a.size() < b.size() ? -1 : 1) : sign(a.compare(b));
}

int compare_dotted(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const int order = compare_parts(take(a, '.'), take(b, '.'));
    if (order != 0) return order;
  }
  return 0;
}

}  // namespace

int compare_versions(std::string_view a, std::string_view b) {
  a = take(a, '+');
  b = take(b, '+');
  const int numbers = compare_dotted(take(a, '-'), take(b, '-'));
  if (numbers != 0) return numbers;
  if (a.empty() != b.empty()) return a.empty() ? 1 : -1;  // only one of them is a pre-release
  return compare_dotted(a, b);
}

}  // namespace levin::core
