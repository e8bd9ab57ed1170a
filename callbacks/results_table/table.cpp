#include "table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>

#include "levin/util/text.hpp"

namespace levin::results_table {
namespace {

// Returns the number of terminal columns, approximated by the number of code points.
size_t length(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Centres the text. If the remaining space is odd, the larger half is on the right.
std::string centred(const std::string& text, size_t width) {
  const size_t gap = width - std::min(width, length(text));
  return std::string(gap / 2, ' ') + text + std::string(gap - gap / 2, ' ');
}

std::string line(const std::vector<std::string>& cells, size_t width) {
  std::string out;
  for (const std::string& cell : cells) out += centred(cell, width);
  return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
}

// Removes the first columns from the text and returns them.
std::string cut(std::string& text, size_t columns) {
  size_t end = 0;
  while (end < text.size() && (columns > 0 || (text[end] & 0xC0) == 0x80))
    if ((text[end++] & 0xC0) != 0x80) --columns;
  const std::string piece = text.substr(0, end);
  text.erase(0, end);
  return piece;
}

// Wraps a name that is too long. The values are repeated beside each full piece, as in Lightning's table.
std::string lines(std::vector<std::string> row, size_t cell, size_t longest) {
  std::string name = row[0], out;
  if (length(name) <= longest) return line(row, cell);
  while (length(name) > longest) {
    row[0] = cut(name, longest);
    out += line(row, cell);
  }
  return out + line({name}, cell);
}

constexpr std::string_view mark = "/dataloader_idx_";

}  // namespace

std::string row_name(const std::vector<std::string>& path) {
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : ":") + part;
  return name.substr(0, name.rfind(mark));
}

std::string cell_text(double value) { return shortest(value); }
std::string cell_text(int64_t value) { return std::to_string(value); }

std::vector<Column> columns_of(const Results& results) {
  std::vector<Column> columns(1);
  for (const auto& [name, value] : results) {
    const size_t at = name.rfind(mark);
    const size_t loader = at == std::string::npos ? 0 : std::strtoul(name.c_str() + at + mark.size(), nullptr, 10);
    if (loader > 1000) continue;
    if (columns.size() <= loader) columns.resize(loader + 1);
    columns[loader][row_name({name})] = cell_text(value);
  }
  return columns;
}

std::string table(const std::vector<Column>& columns, const std::string& stage, size_t width) {
  std::string title = stage;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  std::set<std::string> metrics;
  for (const Column& column : columns)
    for (const auto& cell : column) metrics.insert(cell.first);
  if (metrics.empty()) return {};
  const size_t half = std::max(width / 2, size_t{1});
  size_t cell = 25;
  for (const std::string& metric : metrics) cell = std::max(cell, length(metric));
  cell = std::min(cell, half);
  const size_t at_once = std::max((width - std::min(width, cell)) / cell, size_t{1});

  std::string rule, out;
  for (size_t i = 0; i < width; ++i) rule += "─";
  rule += "\n";
  for (size_t first = 0; first < columns.size(); first += at_once) {
    const size_t last = std::min(first + at_once, columns.size());
    std::vector<std::string> head = {title + " metric"};
    for (size_t c = first; c < last; ++c) head.push_back("DataLoader " + std::to_string(c));
    out += rule + line(head, cell) + rule;
    for (const std::string& metric : metrics) {
      std::vector<std::string> row = {metric};
      for (size_t c = first; c < last; ++c) row.push_back(columns[c].count(metric) ? columns[c].at(metric) : "");
      out += lines(row, cell, half);
    }
    out += rule;
  }
  return out.substr(0, out.size() - 1);
}

}  // namespace levin::results_table
