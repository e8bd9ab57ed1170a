// The state of the plugins' sources, kept in the run folder.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace levin::core {

// Writes code.json (repository, commit, branch, names of changed and untracked files) and code.diff (the uncommitted
// changes) for the plugins whose sources are in a Git repository; writes nothing if there are none. If the folder holds
// another snapshot, it is kept as code-1.json and code-1.diff. Takes at most 3 s and never throws: `say` gets a line
// for the log about each repository and each problem.
void save_code_snapshot(const std::filesystem::path& run_folder, const std::vector<std::filesystem::path>& plugins,
                        const std::function<void(const std::string&)>& say);

}  // namespace levin::core
