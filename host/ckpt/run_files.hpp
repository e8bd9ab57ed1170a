// The checkpoints below a run's folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core::ckpt {

struct RunFile {
  std::filesystem::path path;
  uint64_t bytes = 0;
  bool best = false, last = false;  // as checkpoints/index.json says
};

// The *.ckpt files below DIR/checkpoints, the newest first by what they say of themselves. Links are followed, but not
// those to folders. Throws Error{usage} if the folder is not that of a run.
std::vector<RunFile> run_files(const std::filesystem::path& run);

// The newest whose checksums are right. Throws Error{checkpoint} if there is none.
std::string newest_whole(const std::filesystem::path& run);

}  // namespace levin::core::ckpt
