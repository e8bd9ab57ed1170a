// Names of classes: their order, and how they are saved.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace common {

inline std::optional<int64_t> whole_number(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Sorts names by bytes, or as numbers if all of them are whole numbers.
inline void sort_classes(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  if (std::all_of(names.begin(), names.end(), [](const std::string& name) { return whole_number(name).has_value(); }))
    std::stable_sort(names.begin(), names.end(),
                     [](const std::string& a, const std::string& b) { return *whole_number(a) < *whole_number(b); });
}

// Returns the names as one text, each with a zero byte behind it.
inline std::string packed_names(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + '\0';
  return out;
}
inline std::vector<std::string> unpacked_names(const std::string& packed) {
  std::vector<std::string> names;
  for (size_t begin = 0, end; (end = packed.find('\0', begin)) != std::string::npos; begin = end + 1)
    names.push_back(packed.substr(begin, end - begin));
  return names;
}

}  // namespace common
