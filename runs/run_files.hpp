// The checkpoints in a run folder, and the one to use where a run folder may be named instead of a file.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core::ckpt {

struct RunFile {
  std::filesystem::path path;
  uint64_t bytes = 0;
  bool best = false, last = false;  // according to checkpoints/index.json
};

// Returns the *.ckpt files below DIR/checkpoints, newest first according to their manifests. Links to files are
// followed, links to folders are not. Throws Error{usage} if DIR is not a run folder.
std::vector<RunFile> run_files(const std::filesystem::path& run);

// Returns the newest checkpoint with correct checksums. Throws Error{checkpoint} if there is none.
std::string newest_whole(const std::filesystem::path& run);

struct ExportedFile {
  std::string path;
  std::string which;  // "best" or "last" if the source is a run folder, else ""
};

// source: a run folder or a file. which: "best", "last", or "" for the best checkpoint, or the last if the run has no
// best one. The last checkpoint is the newest valid one. Throws Error if there is no such file; the message names
// alternatives.
ExportedFile exported_file(const std::string& source, const std::string& which);

}  // namespace levin::core::ckpt
