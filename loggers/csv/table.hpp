// A table of metrics as CSV text. The columns are the sorted names, and a cell that a row does not have is empty.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace levin::csv {

using Row = std::map<std::string, std::string>;  // column -> text of the cell

// One line with its line feed. Cells that contain commas, quotes or line breaks are quoted.
std::string line(const std::vector<std::string>& cells);
std::string line(const std::vector<std::string>& columns, const Row& row);

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string text() const;
  bool has(const std::string& column) const;
  // Leaves the first rows, with the columns of this line and, beside them, only those that the rows have.
  void cut(size_t rows, const std::string& columns);
  void cut_after(long long step);  // leaves the rows of steps up to this one
};

// Reads the text of a table. A last line that was cut off is left out.
Table parse(const std::string& text);

// Adds the row's columns in sorted order. Returns whether there was a new one.
bool add_columns(std::vector<std::string>& columns, const Row& row);

}  // namespace levin::csv
