#include "table.hpp"

#include <algorithm>
#include <cstdlib>

namespace levin::csv {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

// Reads the cells of the line that starts at `at`, and moves `at` to the next line. Returns false if the line is
// incomplete.
bool next_line(const std::string& text, size_t& at, std::vector<std::string>& cells) {
  cells.assign(1, "");
  bool quoted = false;
  for (size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cells.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      cells.emplace_back();
    } else if (!quoted && c == '\n') {
      at = i + 1;
      return true;
    } else if (quoted || c != '\r') {
      cells.back() += c;
    }
  }
  return false;
}

}  // namespace

std::string line(const std::vector<std::string>& cells) {
  std::string out;
  for (size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + cell(cells[i]);
  return out + "\n";
}

std::string line(const std::vector<std::string>& columns, const Row& row) {
  std::vector<std::string> cells;
  for (const std::string& column : columns) {
    const auto found = row.find(column);
    cells.push_back(found == row.end() ? "" : found->second);
  }
  return line(cells);
}

std::string Table::text() const {
  if (columns.empty()) return {};
  std::string out = line(columns);
  for (const Row& row : rows) out += line(columns, row);
  return out;
}

bool Table::has(const std::string& column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

void Table::cut(size_t n, const std::string& line_of_columns) {
  rows.resize(std::min(n, rows.size()));
  columns = parse(line_of_columns).columns;
  for (const Row& row : rows) add_columns(columns, row);
}

void Table::cut_after(long long step) {
  const auto later = [step](const Row& row) {
    const auto found = row.find("step");
    return found != row.end() && std::atoll(found->second.c_str()) > step;
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), later), rows.end());
}

Table parse(const std::string& text) {
  Table table;
  size_t at = 0;
  if (!next_line(text, at, table.columns)) return {};
  std::vector<std::string> cells;
  while (next_line(text, at, cells)) {
    Row row;
    for (size_t i = 0; i < std::min(cells.size(), table.columns.size()); ++i)
      if (!cells[i].empty()) row[table.columns[i]] = cells[i];
    table.rows.push_back(row);
  }
  return table;
}

bool add_columns(std::vector<std::string>& columns, const Row& row) {
  const size_t before = columns.size();
  for (const auto& [name, value] : row) {
    const auto at = std::lower_bound(columns.begin(), columns.end(), name);
    if (at == columns.end() || *at != name) columns.insert(at, name);
  }
  return columns.size() != before;
}

}  // namespace levin::csv
