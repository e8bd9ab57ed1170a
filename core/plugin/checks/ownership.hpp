// Which other users could change a file, or put another one in its place.
#pragma once
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace levin::core {

std::string user_name(uid_t uid);

enum class Writer { none, owner, group, anyone };
// Who besides the user and root may write a file or folder of this state. Entries of a sticky folder belong to those
// who made them, so it counts as written by its owner only.
Writer other_writer(const struct stat& st);

struct FolderProblem {
  std::filesystem::path folder;
  std::string who;  // "anyone", "its group" or "user NAME"
  std::string cure;
};
// The first folder on the way to this one, itself included, in which other users could put something else in the way's
// place; nullopt if there is none. Of a folder that is not there, the one in which it would have to be made counts.
std::optional<FolderProblem> folder_problem(const std::filesystem::path& folder);

}  // namespace levin::core
