#include "core/run_folder/started_folder.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

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

// Returns the kind of entry; "" = acceptable.
std::string strange_kind(const fs::path& path) {
  std::error_code unknown;
  const fs::file_status own = fs::symlink_status(path, unknown);
  if (fs::is_symlink(own)) {
    if (fs::is_directory(path, unknown)) return "";
    const fs::path target = fs::read_symlink(path, unknown);
    return "a link to '" + target.string() + "'";
  }
  if (fs::is_fifo(own)) return "a FIFO";
  if (fs::is_socket(own)) return "a socket";
  return fs::is_block_file(own) || fs::is_character_file(own) ? "a device" : "";
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

void refuse_leftover_files(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& entry : entries_of(folder, failed)) {
    const std::string kind = strange_kind(entry.path());
    if (!kind.empty())
      throw Error(ErrorCode::file_not_written,
                  entry.path().string() + " is " + kind +
                      ", and a run would write through it or block on it; remove it, or give the run "
                      "another folder with --trainer.log_version");
  }
}

}  // namespace levin::core
