#include "core/plugin/checks/open_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace levin::core {

ErrorCode code_of_check(int number) {
  constexpr ErrorCode codes[] = {
      ErrorCode::plugin_file_unsafe,   ErrorCode::plugin_file_invalid,        ErrorCode::plugin_file_invalid,
      ErrorCode::plugin_abi_differs,   ErrorCode::plugin_torch_differs,       ErrorCode::plugin_libraries_refused,
      ErrorCode::plugin_file_unsafe,   ErrorCode::plugin_does_not_load,       ErrorCode::plugin_does_not_load,
      ErrorCode::plugin_table_invalid, ErrorCode::plugin_description_invalid, ErrorCode::plugin_description_differs};
  return number >= 1 && number <= 12 ? codes[number - 1] : ErrorCode::plugin_file_invalid;
}

void require_usable(const std::string& problem) {
  if (problem.empty()) return;
  const size_t at = problem.rfind("(P");
  const bool is_last = at != std::string::npos && problem.back() == ')';
  const int number = is_last ? std::atoi(problem.c_str() + at + 2) : 0;
  throw Error(number > 0 ? code_of_check(number) : ErrorCode::plugin_not_found, problem);
}

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  refuse_plugin(path.string(), 1, why);
}

const char* type_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

FileIdentity identity_of(const struct stat& st) {
  return {static_cast<uint64_t>(st.st_dev), static_cast<uint64_t>(st.st_ino), static_cast<uint64_t>(st.st_size),
          static_cast<int64_t>(st.st_mtim.tv_sec) * 1000000000 + st.st_mtim.tv_nsec};
}

std::filesystem::path resolved(const std::filesystem::path& path, KnownFolders* folders, std::error_code& failed) try {
  const bool known = folders != nullptr && !std::filesystem::is_symlink(std::filesystem::symlink_status(path));
  return known ? folders->resolved(path.parent_path()) / path.filename() : std::filesystem::canonical(path);
} catch (const std::filesystem::filesystem_error& e) {
  failed = e.code();
  return {};
}

void check_access(const std::filesystem::path& path, const struct stat& st, KnownFolders* folders) {
  const std::string help = "; if you trust it, add --trust, else ";
  switch (other_writer(st)) {
    case Writer::owner:
      refuse(path, "belongs to user " + user_name(st.st_uid) + ", and this is run by " + user_name(geteuid()) + help +
                       "make a copy of your own");
    case Writer::group:
      refuse(path, "its group may write it" + help + "chmod g-w it");
    case Writer::anyone:
      refuse(path, "anyone may write it" + help + "chmod o-w it");
    case Writer::none:
      break;
  }
  KnownFolders own;
  if (const auto& problem = (folders != nullptr ? *folders : own).problem(path.parent_path()))
    refuse(path,
           problem->who + " may put another file in its place, in " + problem->folder.string() + help + problem->cure);
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path, bool trust, KnownFolders* folders) {
  std::error_code failed;
  path_ = resolved(path, folders, failed);
  if (failed.value() == ELOOP) refuse(path, "a symbolic link that leads to itself");
  if (failed) refuse(path, "cannot be opened: " + failed.message());
  struct stat st {};
  if (stat(path_.c_str(), &st) != 0) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  // The type is checked before opening, because opening a device may have side effects.
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
    check_access(path_, st, folders);
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
