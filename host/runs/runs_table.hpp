// Runs as a text table and as JSON.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/run_row.hpp"

namespace levin::core {

// Sorts by "run", "state", "epoch", "step", "best", an option of the grid or a metric. The best run comes first if the
// runs define what is best, else the smallest value; runs without a value come last. Throws Error{usage} for a name
// that no run has.
void sort_runs(std::vector<RunRow>& rows, const std::string& by);

// sorted_by: a metric that always gets a column; "" = none. width: width of the terminal; 0 = no limit. If the table is
// too wide, columns are left out and named below it. Epochs count from 1 in the table and from 0 in the JSON.
std::string runs_table(const std::vector<RunRow>& rows, const std::string& sorted_by, size_t width = 0);
nlohmann::json runs_json(const std::vector<RunRow>& rows);

}  // namespace levin::core
