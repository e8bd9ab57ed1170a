// The results of a validation or test as a table with a row for each metric and a column for each loader.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace levin::results_table {

using Results = std::vector<std::pair<std::string, double>>;  // in any order
using Column = std::map<std::string, std::string>;            // metric -> text, for one loader

// The name of a metric's row: the names of the groups that contain it, outermost first, and its own, joined by colons
// and without an ending /dataloader_idx_N.
std::string row_name(const std::vector<std::string>& path);
// Integers are shown without a decimal point.
std::string cell_text(double value);
std::string cell_text(int64_t value);

// Names that end in /dataloader_idx_N are put into the column of loader N without that ending, others into the first.
std::vector<Column> columns_of(const Results& results);

// As many columns as fit into `width` are placed side by side, and the others below. Returns "" if there are no
// results.
std::string table(const std::vector<Column>& columns, const std::string& stage, size_t width);

}  // namespace levin::results_table
