#include "lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "levin/error.hpp"

namespace download {
namespace {

constexpr std::chrono::milliseconds poll_period(100);
constexpr int polls_a_message = 100;

int open_lock(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw levin::Error(LEVIN_E_IO, "cannot create the folder " + folder.string() + ": " + error.message());
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) throw levin::Error(LEVIN_E_IO, "cannot write " + path + ": " + std::strerror(errno));
  return fd;
}

}  // namespace

Lock::Lock(const std::string& path, const std::string& what, const Progress& progress) : path_(path + ".lock") {
  for (int waited = 0; !take(); ++waited) {
    if (waited == 0) progress.tell("waiting for another process that downloads " + what);
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path + ".part", error);
    if (waited % polls_a_message == polls_a_message - 1 && !error) progress.tell(what + ": " + megabytes(bytes));
    wait_for(poll_period, progress);
  }
}

Lock::~Lock() {
  unlink(path_.c_str());
  close(fd_);
}

// Returns false if another process has the lock, or has removed the file that was opened.
bool Lock::take() {
  const int fd = open_lock(path_);
  const bool is_locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
  const int error = errno;
  struct stat opened {
  }, named{};
  const bool is_current = is_locked && fstat(fd, &opened) == 0 && stat(path_.c_str(), &named) == 0 &&
                          opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  if (is_current) {
    fd_ = fd;
    return true;
  }
  close(fd);
  if (!is_locked && error != EWOULDBLOCK && error != EINTR)
    throw levin::Error(LEVIN_E_IO, "cannot lock " + path_ + ": " + std::strerror(error));
  return false;
}

}  // namespace download
