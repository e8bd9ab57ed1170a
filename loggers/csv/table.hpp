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
};

// Reads the text of a table. A last line that was cut off is left out.
Table parse(const std::string& text);

// Adds the row's columns in sorted order. Returns whether there was a new one.
bool add_columns(std::vector<std::string>& columns, const Row& row);

// Whether the row was logged later than this step.
bool later(const Row& row, long long step);

}  // namespace levin::csv
