// A table of metrics as CSV text: columns are the sorted names, a cell that a row lacks is empty. No files.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace levin::csv {

using Row = std::map<std::string, std::string>;  // column -> text of the cell

// One line with its line feed. Cells with commas, quotes or line breaks are quoted.
std::string line(const std::vector<std::string>& cells);
std::string line(const std::vector<std::string>& columns, const Row& row);

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string text() const;
};

// Reads what line() wrote. A last line that was cut off is left out.
Table parse(const std::string& text);

// Adds the row's columns, in order. True: there was a new one.
bool add_columns(std::vector<std::string>& columns, const Row& row);

// Whether the row was logged later than this step.
bool later(const Row& row, long long step);

}  // namespace levin::csv
