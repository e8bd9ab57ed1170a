#include "core/run_folder/synced_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {

namespace fs = std::filesystem;
namespace {

bool is_out_of_reach(int error) { return error == ENOENT || error == EACCES || error == ELOOP; }

}  // namespace

bool SyncedFiles::sync_one(const fs::path& path, int flags, const Warn& warn) {
  const int fd =
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags); });
  if (fd < 0) {
    if (!is_out_of_reach(errno)) passes(path, errno, warn);
    return false;
  }
  const int error = uninterrupted([&] { return ::fsync(fd); }) == 0 ? 0 : errno;
  ::close(fd);
  return passes(path, error, warn);
}

bool SyncedFiles::passes(const fs::path& path, int error, const Warn& warn) {
  if (error == 0 || error == EINVAL || error == EROFS) return true;
  if (warned_.insert(path.string()).second)
    warn("cannot sync " + path.string() + " to the disk: " + std::strerror(error) +
         "; after a power failure it may lack data that checkpoints rely on");
  return false;
}

void SyncedFiles::sync(const Warn& warn) { sync_below(folder_, warn); }

void SyncedFiles::sync_below(const fs::path& folder, const Warn& warn) {
  bool has_new = false;
  std::error_code failed;
  const std::vector<fs::directory_entry> entries = entries_of(folder, failed);
  if (failed && !is_out_of_reach(failed.value())) passes(folder, failed.value(), warn);
  for (const fs::directory_entry& entry : entries) {
    const fs::path& path = entry.path();
    struct stat st {};
    if (::lstat(path.c_str(), &st) != 0) continue;
    if (S_ISDIR(st.st_mode) && !(folder == folder_ && path.filename() == "checkpoints")) sync_below(path, warn);
    if (!S_ISREG(st.st_mode)) continue;
    Version now{st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
    const auto known = synced_.find(path.string());
    if (known != synced_.end() && known->second == now) continue;
    has_new = has_new || known == synced_.end() || known->second.inode != now.inode;
    if (!sync_one(path, 0, warn)) continue;
    if (now.seconds + 1 >= ::time(nullptr)) now.size = -1;  // check again: the next change may have the same time
    synced_[path.string()] = now;
  }
  if (has_new) sync_one(folder, O_DIRECTORY, warn);
}

}  // namespace levin::core
