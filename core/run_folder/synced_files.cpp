#include "core/run_folder/synced_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace levin::core {

namespace fs = std::filesystem;

bool SyncedFiles::sync_one(const fs::path& path, int flags, const Warn& warn) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags);
  if (fd < 0) return false;
  int error = EINTR;
  while (error == EINTR) error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error == 0 || error == EINVAL || error == EROFS) return true;
  if (told_.insert(path.string()).second)
    warn("cannot sync " + path.string() + " to the disk: " + std::strerror(error) +
         "; after a power cut it may lack what checkpoints count on");
  return false;
}

void SyncedFiles::sync(const Warn& warn) {
  std::set<fs::path> folders;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    struct stat st {};
    if (::lstat(at->path().c_str(), &st) != 0) continue;
    if (S_ISDIR(st.st_mode) && at.depth() == 0 && at->path().filename() == "checkpoints")
      at.disable_recursion_pending();
    if (!S_ISREG(st.st_mode)) continue;
    Version now{st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
    const auto known = synced_.find(at->path().string());
    if (known != synced_.end() && known->second == now) continue;
    if (known == synced_.end() || known->second.inode != now.inode) folders.insert(at->path().parent_path());
    if (!sync_one(at->path(), 0, warn)) continue;
    if (now.seconds + 1 >= ::time(nullptr)) now.size = -1;  // the next change may have the same time: looked at again
    synced_[at->path().string()] = now;
  }
  for (const fs::path& folder : folders) sync_one(folder, O_DIRECTORY, warn);
}

}  // namespace levin::core
