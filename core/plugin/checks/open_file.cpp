#include "core/plugin/checks/open_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::plugin, path.string() + ": " + why + " (P1)");
}

const char* type_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

std::string user_name(uid_t uid) {
  std::vector<char> space(16384);
  struct passwd entry {};
  struct passwd* found = nullptr;
  if (getpwuid_r(uid, &entry, space.data(), space.size(), &found) == 0 && found) return found->pw_name;
  return "user " + std::to_string(uid);
}

// Many systems give every user a group of their own and make files writable by that group. A file with such a group is
// accepted, because nobody else is in it.
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

FileIdentity identity_of(const struct stat& st) {
  return {static_cast<uint64_t>(st.st_dev), static_cast<uint64_t>(st.st_ino), static_cast<uint64_t>(st.st_size),
          static_cast<int64_t>(st.st_mtim.tv_sec) * 1000000000 + st.st_mtim.tv_nsec};
}

void check_access(const std::filesystem::path& path, const struct stat& st) {
  const std::string help = "; if you trust it, add --trust, else ";
  if (st.st_uid != geteuid() && st.st_uid != 0)
    refuse(path, "belongs to " + user_name(st.st_uid) + ", and this is run by " + user_name(geteuid()) + help +
                     "make a copy of your own");
  if (st.st_mode & S_IWOTH) refuse(path, "anyone may write it" + help + "chmod o-w it");
  if ((st.st_mode & S_IWGRP) && !is_private_group(st.st_gid, st.st_uid))
    refuse(path, "its group may write it" + help + "chmod g-w it");
  struct stat folder {};
  if (stat(path.parent_path().c_str(), &folder) == 0 && (folder.st_mode & S_IWOTH) && !(folder.st_mode & S_ISVTX))
    refuse(path, "anyone may replace it, its folder being writable by all" + help + "chmod o-w the folder");
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path, bool trust) {
  std::error_code failed;
  path_ = std::filesystem::canonical(path, failed);
  if (failed.value() == ELOOP) refuse(path, "a symbolic link that leads to itself");
  if (failed) refuse(path, "cannot be opened: " + failed.message());
  struct stat st {};
  if (stat(path_.c_str(), &st) != 0) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  // The type is checked before the file is opened, because opening a device may already have an effect.
  if (!S_ISREG(st.st_mode)) refuse(path, std::string(type_of(st.st_mode)) + ", not a plugin file");
  fd_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (fd_ < 0) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  if (fstat(fd_, &st) != 0 || !S_ISREG(st.st_mode)) {
    close(fd_);
    refuse(path, "was replaced while it was opened");
  }
  identity_ = identity_of(st);
  if (trust) return;
  try {
    check_access(path_, st);
  } catch (...) {
    close(fd_);
    throw;
  }
}

OpenFile::~OpenFile() { close(fd_); }

bool OpenFile::still_there() const {
  struct stat st {};
  return stat(path_.c_str(), &st) == 0 && identity_of(st) == identity_;
}

}  // namespace levin::core
