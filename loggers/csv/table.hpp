// A table of metrics as CSV text. The columns are sorted by name. A missing cell is empty.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace levin::csv {

using Row = std::map<std::string, std::string>;  // column -> text of the cell

// Returns one line with its line feed. Cells that contain commas, quotes or line breaks are quoted.
std::string line(const std::vector<std::string>& cells);
std::string line(const std::vector<std::string>& columns, const Row& row);

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string text() const;
  bool has(const std::string& column) const;
  // Keeps the first `rows` rows, with the columns of the line `columns` and any others that these rows have.
  void cut(size_t rows, const std::string& columns);
  void cut_after(long long step);  // keeps the rows up to this step
};

// Reads the text of a table. An incomplete last line is ignored.
Table parse(const std::string& text);

// Adds the row's columns in sorted order. Returns true if there was a new column.
bool add_columns(std::vector<std::string>& columns, const Row& row);

}  // namespace levin::csv
