// Small text tools: joining, matching and finding the name that was meant.
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
// Control bytes other than newlines and tabs become '?': a terminal would obey them.
std::string printable(std::string text);
bool starts_with(std::string_view text, std::string_view prefix);
bool ends_with(std::string_view text, std::string_view suffix);

// Shell-like: * any run of characters, ? one character, [abc] and [a-z] one of a set; anything else is itself.
bool glob_match(std::string_view pattern, std::string_view text);

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other; letter case hardly counts.
double edit_distance(std::string_view a, std::string_view b);

// The candidate that `name` was probably meant to be; none when nothing is near. The first of equals.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" for a near candidate; else "; known: a, b, c" when there are at most `list_up_to`; else "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, size_t list_up_to = 12);

// "WHAT 'name'; did you mean 'x'? (known: a, b, c)"; what: "there is no optimizer", "schedule 'step' has no option".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);

}  // namespace levin::core
