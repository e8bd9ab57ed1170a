#include "core/plugin/checks/ownership.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns true for a user's own group without other members. Many systems give every user such a group and make files
// writable by it.
bool is_private_group(gid_t gid, uid_t owner) {
  std::vector<char> space(65536);
  struct group entry {};
  struct group* found = nullptr;
  if (getgrgid_r(gid, &entry, space.data(), space.size(), &found) != 0 || !found) return false;
  const std::string user = user_name(owner);
  if (user != found->gr_name) return false;
  for (char** member = found->gr_mem; *member; ++member)
    if (user != *member) return false;
  return true;
}

// Returns true for root's own group, and for Debian's group staff, which manages /usr/local.
bool is_group_of_root(gid_t gid) {
  if (gid == 0) return true;
  std::vector<char> space(65536);
  struct group entry {};
  struct group* found = nullptr;
  return gid == 50 && getgrgid_r(gid, &entry, space.data(), space.size(), &found) == 0 && found != nullptr &&
         std::strcmp(found->gr_name, "staff") == 0;
}

// Returns the user that owns, in a user namespace, the files of all users outside it, such as the system's root.
uid_t user_outside() {
  uint64_t inside = 0, outside = 0, count = 0;
  std::ifstream("/proc/self/uid_map") >> inside >> outside >> count;
  if (count == 0 || count == 4294967295) return 0;  // not in a user namespace
  uid_t id = 0;
  std::ifstream("/proc/sys/kernel/overflowuid") >> id;
  return id;
}

bool is_trusted(uid_t uid) {
  static const uid_t outside = user_outside();
  return uid == 0 || uid == geteuid() || uid == outside;
}

std::optional<FolderProblem> own_problem(const fs::path& folder, const struct stat& st) {
  switch (other_writer(st)) {
    case Writer::owner:
      return FolderProblem{folder, "user " + user_name(st.st_uid), "put it into a folder of your own"};
    case Writer::group:
      return FolderProblem{folder, "its group", "chmod g-w the folder"};
    case Writer::anyone:
      return FolderProblem{folder, "anyone", "chmod o-w the folder"};
    case Writer::none:
      break;
  }
  return std::nullopt;
}

// Checks the folder and its parents as written, links included.
std::optional<FolderProblem> problem_on_the_way(const fs::path& folder) {
  bool missing = false;
  for (fs::path at = folder;; at = at.parent_path()) {
    struct stat st {};
    if (stat(at.c_str(), &st) != 0) {
      missing = true;
    } else {
      if (missing) st.st_mode &= ~static_cast<mode_t>(S_ISVTX);  // any user could create the missing folder
      if (auto problem = own_problem(at, st)) return problem;
      missing = false;
    }
    if (at == at.parent_path()) return std::nullopt;
  }
}

}  // namespace

std::string user_name(uid_t uid) {
  std::vector<char> space(16384);
  struct passwd entry {};
  struct passwd* found = nullptr;
  if (getpwuid_r(uid, &entry, space.data(), space.size(), &found) == 0 && found) return found->pw_name;
  return std::to_string(uid);
}

Writer other_writer(const struct stat& st) {
  if (!is_trusted(st.st_uid)) return Writer::owner;
  if (S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX)) return Writer::none;
  if (st.st_mode & S_IWOTH) return Writer::anyone;
  const bool of_root = S_ISDIR(st.st_mode) && st.st_uid == 0 && is_group_of_root(st.st_gid);
  if ((st.st_mode & S_IWGRP) && !of_root && !is_private_group(st.st_gid, st.st_uid)) return Writer::group;
  return Writer::none;
}

std::optional<FolderProblem> folder_problem(const fs::path& folder) {
  if (auto problem = problem_on_the_way(folder)) return problem;
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(folder, failed);
  return failed || real == folder ? std::nullopt : problem_on_the_way(real);
}

const fs::path& KnownFolders::resolved(const fs::path& folder) {
  const auto known = resolved_.find(folder);
  return known != resolved_.end() ? known->second : resolved_.emplace(folder, fs::canonical(folder)).first->second;
}

const std::optional<FolderProblem>& KnownFolders::problem(const fs::path& folder) {
  const auto known = problems_.find(folder);
  return known != problems_.end() ? known->second : problems_.emplace(folder, folder_problem(folder)).first->second;
}

}  // namespace levin::core
