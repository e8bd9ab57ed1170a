// For loggers and others that write files: what an earlier run left under a name is kept.
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

namespace levin {

// Gives a file a free name beside it: metrics.csv becomes metrics-1.csv. Returns that name without its folder; "":
// there was no such file, or an empty one.
inline std::string set_aside(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code missing;
  if (fs::file_size(file, missing) == 0 || missing) return {};
  for (int n = 1;; ++n) {
    const std::string name = file.stem().string() + "-" + std::to_string(n) + file.extension().string();
    const fs::path aside = file.parent_path() / name;
    if (fs::exists(fs::symlink_status(aside))) continue;
    fs::rename(file, aside);
    return name;
  }
}

}  // namespace levin
