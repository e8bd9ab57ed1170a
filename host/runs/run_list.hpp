// The runs of a folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host/runs/run_row.hpp"

namespace levin::core {

struct RunList {
  std::vector<RunRow> rows;
  std::vector<std::string> notes;  // of grids below the folder, and of what could not be read
};

// folder: that of a grid, of many runs, or of one. Runs that were submitted and have not begun are among them. Throws
// Error{usage} if there is no such folder.
RunList runs_in_folder(const std::filesystem::path& folder);

}  // namespace levin::core
