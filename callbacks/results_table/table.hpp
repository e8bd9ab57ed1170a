// The results of a validation or test as a table: one row a metric, one column a loader.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace levin::results_table {

using Results = std::vector<std::pair<std::string, double>>;  // in any order
using Column = std::map<std::string, std::string>;            // metric -> text, of one loader

// The row of a metric that lies in groups of results, outermost first: their names joined by a colon. The end
// /dataloader_idx_N is left out.
std::string row_name(const std::vector<std::string>& path);
// A count is shown without a point.
std::string cell_text(double value);
std::string cell_text(int64_t value);

// Names that end in /dataloader_idx_N go to the column of loader N, without that end; others to the first.
std::vector<Column> columns_of(const Results& results);

// As many columns as fit into `width` stand side by side, the others below. No results: "".
std::string table(const std::vector<Column>& columns, const std::string& stage, size_t width);

}  // namespace levin::results_table
