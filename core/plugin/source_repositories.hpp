// The Git repositories that hold the sources of plugins.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

struct SourceRepository {
  std::filesystem::path root;
  std::vector<std::string> folders;  // of sources, in the repository; "." = all of it
  std::vector<std::string> plugins;  // file names
  std::string commit, branch;        // "" = no commit yet, no branch
  // Paths in the repository. later: changed files that are newer than the plugins, so the plugins may lack the change.
  std::vector<std::string> changed, untracked, later;
  std::string diff;       // of the folders against the commit
  bool diff_cut = false;  // true if diff holds only its beginning
  std::string problem;    // why something of this is unknown; "" = nothing is
};

// Asks git about the folder of sources that each plugin's file records (`host embed-description --sources`), sorted by
// root. Plugins without such a folder, and folders that are gone or in no repository, are left out. Never throws for a
// repository or a plugin; does not wait longer than `limit` in total. Hooks, monitors and diff programs of the
// repository are not started, and nothing in it is changed.
std::vector<SourceRepository> source_repositories(const std::vector<std::filesystem::path>& plugins,
                                                  std::chrono::milliseconds limit);

// Returns the nearest folder at or above `folder` that holds a Git repository, or "".
std::filesystem::path repository_of(const std::filesystem::path& folder);

}  // namespace levin::core
