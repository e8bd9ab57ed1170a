// Keeps files of earlier runs from being overwritten. Includes no header of Levin, because the core uses it too
// (scripts/check_layout).
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#pragma GCC visibility push(hidden)
namespace levin {

// Renames a file to a free name in its folder: metrics.csv becomes metrics-1.csv. Returns the new name without the
// folder, or "" if the file does not exist or is empty. Throws std::runtime_error if the file cannot be renamed.
inline std::string set_aside(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (fs::file_size(file, failed) == 0 || failed) return {};
  for (int n = 1;; ++n) {
    const std::string name = file.stem().string() + "-" + std::to_string(n) + file.extension().string();
    const fs::path aside = file.parent_path() / name;
    if (fs::exists(fs::symlink_status(aside, failed))) continue;
    fs::rename(file, aside, failed);
    if (failed) throw std::runtime_error("cannot rename '" + file.string() + "': " + failed.message());
    return name;
  }
}

}  // namespace levin
#pragma GCC visibility pop
