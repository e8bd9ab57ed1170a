#include "core/run_folder/started_folder.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"
#include "sdk/include/levin/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

bool is_of_host(const std::string& name) {
  for (const char* own : {"config.json", "log.txt", ".lock"})
    if (name == own) return true;
  return starts_with(name, ".delivered.") || (starts_with(name, "log.rank-") && ends_with(name, ".txt"));
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  std::error_code unknown;
  for (const fs::directory_entry& entry : entries_of(folder, unknown)) out.insert(entry.path().filename().string());
  return out;
}

}  // namespace

StartedFolder::StartedFolder(fs::path folder, std::function<void()> removed)
    : folder_(std::move(folder)), removed_(std::move(removed)) {}

void StartedFolder::with_loggers(const std::function<void()>& begin) {
  const std::set<std::string> before = names_in(folder_);
  const auto note_new = [&] {
    for (const std::string& name : names_in(folder_))
      if (!before.count(name)) of_loggers_.insert(name);
  };
  try {
    begin();
  } catch (...) {
    note_new();
    throw;
  }
  note_new();
}

bool StartedFolder::has_only_own() const {
  std::error_code unknown;
  for (const fs::directory_entry& entry : entries_of(folder_, unknown)) {
    const std::string name = entry.path().filename().string();
    const bool own = is_of_host(name) || of_loggers_.count(name);
    const bool own_file = own && entry.is_regular_file(unknown) && !entry.is_symlink(unknown);
    const bool empty_folder = name == "checkpoints" && names_in(entry.path()).empty();
    if (!own_file && !empty_folder) return false;
  }
  return !unknown;
}

// A folder that is not empty cannot be removed, so an entry that is added meanwhile is kept.
StartedFolder::~StartedFolder() {
  if (keep_ || !has_only_own()) return;
  std::error_code failed;
  fs::remove(folder_ / "checkpoints", failed);
  for (const std::string& name : names_in(folder_))
    if (is_of_host(name) || of_loggers_.count(name)) remove_file(folder_ / name);
  if (fs::remove(folder_, failed) && !failed) removed_();
}

}  // namespace levin::core
