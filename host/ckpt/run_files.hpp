// The checkpoints in a run folder.
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

}  // namespace levin::core::ckpt
