// A line of a metrics.csv.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// Splits a line into its cells and removes their quotes.
std::vector<std::string> csv_cells(const std::string& line);

// Returns the number in a cell, which may be nan or inf; nullopt for an empty cell or another text.
std::optional<double> number_in_cell(const std::string& cell);

// Returns true if the only metrics of a row are those of a test. Such a row has the number of completed epochs as its
// epoch, and other rows have the index of theirs.
bool is_row_of_test(const std::vector<std::string>& names, const std::vector<std::string>& cells);

}  // namespace levin::core
