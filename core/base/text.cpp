#include "core/base/text.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "core/base/did_you_mean.hpp"

namespace levin::core {
namespace {

char lower_char(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

double replace_cost(char a, char b) {
  if (a == b) return 0;
  const bool dashes = (a == '-' && b == '_') || (a == '_' && b == '-');
  return dashes || lower_char(a) == lower_char(b) ? 0.1 : 1;
}

unsigned byte_at(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

// Returns the number of bytes of the UTF-8 character at this position; 0 = not a character.
size_t character_at(std::string_view text, size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  const size_t n = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (n == 0 || at + n > text.size()) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte_at(text, at + 1);
  const bool too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return too_long || no_character ? 0 : n;
}

// Returns true for control characters: the first 32 characters, DEL, and C1 (which begin with the byte C2).
bool is_control(std::string_view text, size_t at) {
  const unsigned first = byte_at(text, at);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && byte_at(text, at + 1) < 0xA0);
}

}  // namespace

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string join_some(const std::vector<std::string>& parts, size_t most) {
  if (parts.size() <= most) return join(parts, ", ");
  const auto last = parts.begin() + static_cast<std::ptrdiff_t>(most);
  return join({parts.begin(), last}, ", ") + " and " + std::to_string(parts.size() - most) + " more";
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, from)) {
    parts.emplace_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.emplace_back(text.substr(from));
  return parts;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower_char);
  return out;
}

std::string trim(std::string_view text) {
  const char* space = " \t\r\n";
  const size_t from = text.find_first_not_of(space);
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(space) - from + 1));
}

std::string hex_digits(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char c : bytes) (out += digits[c >> 4]) += digits[c & 15];
  return out;
}

std::string printable(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t n = character_at(text, at);
    const bool shown = n != 0 && (!is_control(text, at) || text[at] == '\n' || text[at] == '\t');
    out += shown ? text.substr(at, n) : "?";
    at += std::max<size_t>(n, 1);
  }
  return out;
}

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t n = character_at(text, at);
    if (n == 0) return false;
    at += n;
  }
  return true;
}

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool glob_match(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

double edit_distance(std::string_view a, std::string_view b) {
  std::vector<double> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<double>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<double>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + replace_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  double best_distance = 1e9;
  for (const auto& candidate : candidates) {
    const double longest = static_cast<double>(std::max(name.size(), candidate.size()));
    double distance = edit_distance(name, candidate);
    // An abbreviated or extended name counts as similar, whatever the number of missing characters.
    const bool part = name.size() >= 3 && candidate.size() >= 3 &&
                      (starts_with(candidate, name) || starts_with(name, candidate) || ends_with(candidate, name));
    if (part) distance = std::min(distance, 1 + longest / 100);
    if (distance > std::max(1.0, longest / 3) || distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, size_t list_up_to) {
  if (const auto near = nearest(name, candidates)) return did_you_mean_one_of({*near});
  if (candidates.empty() || candidates.size() > list_up_to) return "";
  return "; known: " + join(candidates, ", ");
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const std::string all = known.empty() ? "; it has none" : " (known: " + join(known, ", ") + ")";
  return std::string(what) + " '" + std::string(name) + "'" + did_you_mean(name, known, 0) + all;
}

}  // namespace levin::core
