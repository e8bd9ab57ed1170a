// A table of the results of a validation or test, with one row per metric and one column per data loader.
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

// Returns the name of a metric's row: the names of its groups, outermost first, and its own name, joined by colons. A
// trailing /dataloader_idx_N is removed.
std::string row_name(const std::vector<std::string>& path);
// Integers are shown without a decimal point.
std::string cell_text(double value);
std::string cell_text(int64_t value);

// Puts names that end in /dataloader_idx_N into the column of loader N without that suffix, others into the first
// column.
std::vector<Column> columns_of(const Results& results);

// Returns the table, or "" if there are no results. Columns that do not fit into `width` are placed below the others.
std::string table(const std::vector<Column>& columns, const std::string& stage, size_t width);

}  // namespace levin::results_table
