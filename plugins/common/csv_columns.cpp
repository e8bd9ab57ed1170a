#include "csv_columns.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace common {
namespace {

std::optional<int64_t> index_in(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t most = 30;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) text += (i ? ", " : "") + names[i];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace

std::vector<std::string> column_names(const CsvFile& file, bool header) {
  std::vector<std::string> names;
  for (size_t c = 0; c < file.columns; ++c) {
    const std::string name = header ? std::string(file.cell(0, c)) : std::to_string(c);
    if (!name.empty() && std::find(names.begin(), names.end(), name) != names.end())
      throw levin::Error(LEVIN_E_IO, file.place(0) + ": two columns are called '" + name + "': " +
                                         (name.find_first_not_of("+-.0123456789eE") == name.npos
                                              ? "if the first line is data, give --data.header false"
                                              : "rename one of them"));
    names.push_back(name);
  }
  return names;
}

size_t find_column(const std::vector<std::string>& names, const std::string& wanted, const std::string& option,
                   const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  const auto n = static_cast<int64_t>(names.size());
  const std::optional<int64_t> index = index_in(wanted);
  if (index && *index >= -n && *index < n) return static_cast<size_t>(*index < 0 ? *index + n : *index);
  throw levin::Error(LEVIN_E_INVALID, "--data." + option + ": " + path + " has no column '" + wanted +
                                          "'; its columns are " + listed(names) + ", or 0 to " + std::to_string(n - 1));
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  bool quoted = false;
  const auto add = [&] {
    const size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    if (first != std::string::npos) parts.push_back(part.substr(first, last - first + 1));
    part.clear();
  };
  for (const char c : text) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      add();
    else
      part += c;
  }
  add();
  return parts;
}

}  // namespace common
