// Finds out which other users could change or replace a file.
#pragma once
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace levin::core {

std::string user_name(uid_t uid);

enum class Writer { none, owner, group, anyone };
// Returns who besides the user and root may write a file or folder with this owner and mode. A sticky folder counts as
// writable only by its owner, because other users cannot replace entries there.
Writer other_writer(const struct stat& st);

struct FolderProblem {
  std::filesystem::path folder;
  std::string who;  // "anyone", "its group" or "user NAME"
  std::string cure;
};
// Returns the first folder on the path, the last one included, in which other users could replace the next part of the
// path; nullopt if there is none. For a folder that does not exist, checks the folder in which it would be created.
std::optional<FolderProblem> folder_problem(const std::filesystem::path& folder);

}  // namespace levin::core
