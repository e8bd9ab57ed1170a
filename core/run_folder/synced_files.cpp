#include "core/run_folder/synced_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <set>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

void sync_at(const fs::path& path, int kind) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | kind);
  if (fd < 0) return;
  const int error = ::fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  ::close(fd);
  if (error != 0)
    throw Error(ErrorKind::run, "cannot sync " + path.string() + " to the disk: " + std::strerror(error) +
                                    "; a checkpoint that counts on it is not saved");
}

}  // namespace

void SyncedFiles::sync() {
  std::set<fs::path> folders;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    struct stat st {};
    if (::lstat(at->path().c_str(), &st) != 0) continue;
    if (S_ISDIR(st.st_mode) && at.depth() == 0 && at->path().filename() == "checkpoints")
      at.disable_recursion_pending();
    if (!S_ISREG(st.st_mode)) continue;
    const Version now{st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
    const auto known = synced_.find(at->path().string());
    if (known != synced_.end() && known->second == now) continue;
    if (known == synced_.end() || known->second.inode != now.inode) folders.insert(at->path().parent_path());
    sync_at(at->path(), 0);
    if (now.seconds + 1 < ::time(nullptr))
      synced_[at->path().string()] = now;  // else a change may leave no trace in it
  }
  for (const fs::path& folder : folders) sync_at(folder, O_DIRECTORY);
}

}  // namespace levin::core
