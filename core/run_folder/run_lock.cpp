#include "core/run_folder/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

// Returns the process id in the file as " (process 12)", or "".
std::string holder_of(int fd) {
  char text[32];
  const ssize_t n = ::pread(fd, text, sizeof text, 0);
  const std::string id(text, n > 0 ? static_cast<size_t>(n) : 0);
  const std::string digits = id.substr(0, id.find_first_not_of("0123456789"));
  return digits.empty() ? "" : " (process " + digits + ")";
}

// The locks that this process holds, excluding those of its parent before a fork. The id in the file may be of a
// process on another machine or in another container.
class OwnLocks {
 public:
  using File = std::tuple<pid_t, dev_t, ino_t>;

  static bool have(int fd) {
    const std::lock_guard<std::mutex> lock(mutex);
    return std::find(files.begin(), files.end(), file_of(fd)) != files.end();
  }
  static void add(int fd) {
    const std::lock_guard<std::mutex> lock(mutex);
    files.push_back(file_of(fd));
  }
  static void remove(int fd) {
    const std::lock_guard<std::mutex> lock(mutex);
    files.erase(std::remove(files.begin(), files.end(), file_of(fd)), files.end());
  }

 private:
  static File file_of(int fd) {
    struct stat info {};
    ::fstat(fd, &info);
    return {::getpid(), info.st_dev, info.st_ino};
  }
  static inline std::mutex mutex;
  static inline std::vector<File> files;
};

[[noreturn]] void refuse_second_run(const std::filesystem::path& folder, const std::string& holder) {
  throw Error(ErrorCode::run_folder_in_use,
              folder.string() + ": another run uses this folder" + holder +
                  "; wait until it ends, stop it, or choose another folder with --trainer.log_version");
}

// Returns 0 or errno. Retries, because `host runs` holds the lock for an instant when it checks for a run.
int take_lock(int fd) {
  for (int tries = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || tries == 5) return errno;
    ::usleep(20000);
  }
  return 0;
}

int take_lock(int fd, const LockPatience& patience) {
  const auto end = std::chrono::steady_clock::now() + patience.time;
  int error = take_lock(fd);
  while (error == EWOULDBLOCK && !OwnLocks::have(fd) && std::chrono::steady_clock::now() < end) {
    patience.waits(holder_of(fd));
    error = take_lock(fd);
  }
  return error;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder, const LockPatience& patience)
    : fd_(uninterrupted(
          [&] { return ::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666); })) {
  if (fd_ < 0)
    throw Error(ErrorCode::file_not_written, (folder / ".lock").string() +
                                                 ": a run cannot write here: " + std::strerror(errno) +
                                                 "; make the folder writable, or start a new run elsewhere with "
                                                 "--trainer.default_root_dir and --ckpt_path FILE");
  try {
    lock(folder, patience);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

void RunLock::lock(const std::filesystem::path& folder, const LockPatience& patience) {
  const int error = take_lock(fd_, patience);
  // A process may make another Trainer for the folder before it has destroyed the first one.
  if (error == EWOULDBLOCK && !OwnLocks::have(fd_)) refuse_second_run(folder, holder_of(fd_));
  if (error != 0) return;
  OwnLocks::add(fd_);
  holds_ = true;
  const std::string id = std::to_string(::getpid()) + "\n";
  // A failure is ignored, because the id is only used in messages.
  if (::ftruncate(fd_, 0) == 0 && ::pwrite(fd_, id.data(), id.size(), 0) < 0) return;
}

RunLock::~RunLock() {
  if (holds_) OwnLocks::remove(fd_);
  ::close(fd_);
}

}  // namespace levin::core
