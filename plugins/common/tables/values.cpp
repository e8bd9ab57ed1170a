#include "values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "../csv_columns.hpp"
#include "levin/util/words.hpp"

namespace tables {
namespace {

struct Parsed {
  bool number;
  double value;  // infinite if a float cannot hold it
};

Parsed parse(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) return {false, 0};
  // Both overflow and underflow count as out of range.
  if (error == std::errc::result_out_of_range && text.find("e-") == text.npos && text.find("E-") == text.npos)
    return {true, std::numeric_limits<double>::infinity()};
  if (std::isnan(value)) return {false, 0};
  const bool too_large = std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max());
  return {true, too_large ? std::numeric_limits<double>::infinity() : value};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::optional<double> number_in(std::string_view text) {
  const Parsed parsed = parse(text);
  if (!parsed.number || std::isinf(parsed.value)) return std::nullopt;
  return parsed.value;
}

bool is_infinite(std::string_view text) {
  const Parsed parsed = parse(text);
  return parsed.number && std::isinf(parsed.value);
}

bool has_decimal_comma(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == text.npos || text.size() > 40) return false;
  std::string pointed(text);
  pointed[comma] = '.';
  return number_in(pointed).has_value();
}

bool has_thousands_comma(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.find(',') == text.npos || text.size() > 40) return false;
  const std::vector<std::string> groups = levin::parts_of(std::string(text.substr(0, text.find('.'))), ',');
  std::string plain;
  for (const std::string& group : groups) {
    if (digits_of(group) != group || group.empty() || group.size() > 3 || (!plain.empty() && group.size() < 3))
      return false;
    plain += group;
  }
  plain += text.substr(std::min(text.size(), text.find('.')));
  return groups.size() > 1 && number_in(plain).has_value();
}

std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

std::string text_of(double number) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

std::string category_of(std::string_view cell, double number) {
  return digits_of(cell).size() > kept_digits ? std::string(trimmed(cell)) : text_of(number);
}

MissingTexts::MissingTexts(const std::string& list) {
  for (const std::string& text : common::list_of(list)) texts_.insert(text);
}

bool MissingTexts::operator()(std::string_view text) const {
  const std::string_view inner = trimmed(text);
  return inner.empty() || texts_.find(inner) != texts_.end() || is_infinite(inner);
}

}  // namespace tables
