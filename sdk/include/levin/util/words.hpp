// Parts of texts that users write: lists, numbers, and names that are nearly right.
#pragma once
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

// Returns the parts between the separators, also empty ones; at least one.
inline std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

// Reads a whole number or a decimal number; false for other texts, also for nan and inf.
inline bool read_number(const std::string& text, double& out) {
  if (text.empty() || text.find_first_not_of("0123456789.-+eE") != std::string::npos) return false;
  char* end = nullptr;
  out = std::strtod(text.c_str(), &end);
  return *end == '\0';
}

// Returns the parts between commas and white space that are not empty.
inline std::vector<std::string> listed_words(std::string list) {
  std::replace_if(
      list.begin(), list.end(), [](unsigned char c) { return std::isspace(c) != 0; }, ',');
  std::vector<std::string> out = parts_of(list, ',');
  out.erase(std::remove(out.begin(), out.end(), std::string()), out.end());
  return out;
}

// Returns the number of elements to insert, delete or replace that make the one sequence the other.
template <class Sequence>
size_t edits_between(const Sequence& a, const Sequence& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}
inline size_t letters_apart(const std::string& a, const std::string& b) { return edits_between(a, b); }

}  // namespace levin
#pragma GCC visibility pop
