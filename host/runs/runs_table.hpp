// Runs as a table for people, and as JSON for programs.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/runs/run_row.hpp"

namespace levin::core {

// Sorts by "run", "state", "epoch", "step", "best", an option of the grid or a metric: the best run first, where the
// runs say what is best of it, else the smallest; those without it last. Throws Error{usage} for a name that no run
// has.
void sort_runs(std::vector<RunRow>& rows, const std::string& by);

// sorted_by: a metric that has a column in any case; "": none. width: of the terminal, 0: any; where it is too small,
// columns are left out and named below the table. Epochs are counted from 1 here, from 0 in the JSON.
std::string runs_table(const std::vector<RunRow>& rows, const std::string& sorted_by, size_t width = 0);
nlohmann::json runs_json(const std::vector<RunRow>& rows);

}  // namespace levin::core
