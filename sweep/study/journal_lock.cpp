#include "sweep/study/journal_lock.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "core/base/error.hpp"

namespace levin::core::sweep {
namespace {

ino_t inode_of(const std::filesystem::path& link) {
  struct stat facts {};
  return ::lstat(link.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

}  // namespace

JournalLock::JournalLock(const std::filesystem::path& file, std::chrono::milliseconds abandoned_after)
    : link_(file.string() + ".lock") {
  ino_t holder = 0;
  auto since = std::chrono::steady_clock::now();
  while (::symlink(file.c_str(), link_.c_str()) != 0) {
    if (errno != EEXIST)
      throw Error(ErrorCode::file_not_written, link_.string() + " cannot be made: " + std::strerror(errno));
    const ino_t now = inode_of(link_);
    if (now != holder) holder = now, since = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - since > abandoned_after) ::unlink(link_.c_str());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

JournalLock::~JournalLock() { ::unlink(link_.c_str()); }

}  // namespace levin::core::sweep
