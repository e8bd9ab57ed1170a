// The results of a validation or test as a table: one row a metric, one column a loader.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace levin::results_table {

using Results = std::vector<std::pair<std::string, double>>;  // in any order
using Column = std::map<std::string, std::string>;            // metric -> text, of one loader

// Names that end in /dataloader_idx_N go to the column of loader N, without that end; others to the first.
std::vector<Column> columns_of(const Results& results);

// As many columns as fit into `width` stand side by side, the others below. No results: "".
std::string table(const std::vector<Column>& columns, const std::string& stage, size_t width);

}  // namespace levin::results_table
