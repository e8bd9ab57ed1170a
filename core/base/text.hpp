// Text utilities: joining, matching, and suggestions for misspelt names.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string lower(std::string_view text);
std::string trim(std::string_view text);
std::string hex_digits(std::string_view bytes);  // two lower-case digits a byte
// Replaces control characters (except newlines and tabs) and bytes that are not UTF-8 by '?', because a terminal would
// execute control characters.
std::string printable(const std::string& text);
bool is_utf8(std::string_view text);
// "a, b, c and 4 more"
std::string join_some(const std::vector<std::string>& parts, size_t most);
bool starts_with(std::string_view text, std::string_view prefix);
bool ends_with(std::string_view text, std::string_view suffix);

// Matches like a shell: * matches any characters, ? one character, [abc] and [a-z] one of a set. Other characters match
// themselves.
bool glob_match(const std::string& pattern, const std::string& text);

// Returns the optimal string alignment distance: the number of insertions, deletions, replacements and swaps of
// adjacent characters that turn one text into the other. A difference in letter case, or between '-' and '_', counts as
// 0.1.
double edit_distance(std::string_view a, std::string_view b);

// Returns the candidate most similar to `name`, or nullopt if none is similar. Among equals the first wins.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

// Returns "; did you mean 'x'?" if a candidate is similar, else "; known: a, b, c" if there are at most `list_up_to`
// candidates, else "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, size_t list_up_to = 12);

// Returns "WHAT 'name'; did you mean 'x'? (known: a, b, c)", where `what` is for example "there is no optimizer" or
// "schedule 'step' has no option".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);

template <size_t n>
constexpr bool is_one_of(std::string_view name, const char* const (&names)[n]) {
  for (const char* one : names)
    if (name == one) return true;
  return false;
}

}  // namespace levin::core
