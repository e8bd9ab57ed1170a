// The list of runs in a folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host/runs/run_row.hpp"

namespace levin::core {

struct RunList {
  std::vector<RunRow> rows;
  std::vector<std::string> notes;  // about grids below the folder and files that could not be read
};

// folder: the folder of a grid, of many runs, or of one run. Runs that were submitted and have not begun are included.
// Throws Error{usage} if the folder does not exist.
RunList runs_in_folder(const std::filesystem::path& folder);

}  // namespace levin::core
