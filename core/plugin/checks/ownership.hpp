// Finds out which other users could change or replace a file.
#pragma once
#include <sys/stat.h>

#include <filesystem>
#include <map>
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

// Resolves and checks each folder once, for a look at many files of the same folders.
class KnownFolders {
 public:
  // Returns the folder with links resolved. Throws std::filesystem::filesystem_error.
  const std::filesystem::path& resolved(const std::filesystem::path& folder);
  const std::optional<FolderProblem>& problem(const std::filesystem::path& folder);

 private:
  std::map<std::filesystem::path, std::filesystem::path> resolved_;
  std::map<std::filesystem::path, std::optional<FolderProblem>> problems_;
};

}  // namespace levin::core
