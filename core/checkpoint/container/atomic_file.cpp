#include "core/checkpoint/container/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

std::string random_name() {
  std::random_device random;
  char text[17];
  std::snprintf(text, sizeof text, "%08x%08x", random(), random());
  return text;
}

std::string reason(int error) { return std::strerror(error) + advice_on_write(error); }

}  // namespace

std::string temporary_in(const std::string& folder) { return folder + "/" + AtomicFile::temp_prefix + random_name(); }

int sync_folder(const std::string& folder) {
  const int fd = uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (fd < 0) return errno;
  const int error = uninterrupted([&] { return ::fsync(fd); }) == 0 || errno == EINVAL ? 0 : errno;
  ::close(fd);
  return error;
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void make_folders(const std::string& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return;
  const std::string parent = folder_of(folder);
  if (parent != folder && parent != ".") make_folders(parent);
  if (uninterrupted([&] { return ::mkdir(folder.c_str(), 0777); }) != 0 && errno != EEXIST)
    throw Error(code_of_write(errno), folder + ": cannot make this folder: " + reason(errno));
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw Error(ErrorCode::file_not_written, folder + ": cannot make this folder: something else has the name");
  if (const int error = sync_folder(parent))
    throw Error(code_of_write(error), parent + ": cannot sync this folder: " + reason(error));
}

AtomicFile::AtomicFile(std::string path, uint64_t size) : path_(std::move(path)), folder_(folder_of(path_)) {
  try {
    create();
    reserve(size);
  } catch (...) {
    discard();
    throw;
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (!temp_.empty()) remove_file(temp_);
  if (fd_ >= 0) ::close(fd_);
  if (lock_fd_ >= 0) ::close(lock_fd_);
  temp_.clear();
  fd_ = lock_fd_ = -1;
}

void AtomicFile::fail(const std::string& what, int error) const {
  throw Error(code_of_write(error), path_ + ": " + what + ": " + reason(error));
}

// The system releases the lock however the process ends, so the lock shows that the writer is still running. Between
// open and flock, remove_stale_temporaries() may take the file for one of a writer that has ended, and remove it. The
// file then has no links left, and another one is made.
void AtomicFile::create() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    temp_ = temporary_in(folder_);
    fd_ = uninterrupted([&] { return ::open(temp_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666); });
    if (fd_ < 0) {
      const int error = errno;
      temp_.clear();
      if (error == EEXIST) continue;
      fail("cannot make a file in " + folder_, error);
    }
    lock_fd_ = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
    if (lock_fd_ < 0) fail("cannot duplicate a descriptor", errno);
    // A file system without locks does no harm: remove_stale_temporaries() cannot lock there either and removes
    // nothing.
    uninterrupted([&] { return ::flock(fd_, LOCK_EX); });
    struct stat info {};
    if (::fstat(fd_, &info) != 0) fail("cannot look at the temporary file", errno);
    if (info.st_nlink > 0) return;
    discard();
  }
  fail("cannot make a temporary file in " + folder_, EEXIST);
}

void AtomicFile::reserve(uint64_t size) {
  int error = 0;
  do error = ::posix_fallocate(fd_, 0, static_cast<off_t>(size));
  while (error == EINTR);
  if (error != 0) fail("cannot reserve " + std::to_string(size) + " bytes", error);
}

void AtomicFile::write_at(uint64_t offset, const void* data, uint64_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = uninterrupted(
        [&] { return ::pwrite(fd_, from, std::min<uint64_t>(bytes, 1u << 30), static_cast<off_t>(offset)); });
    if (n < 0) fail("cannot write at byte " + std::to_string(offset), errno);
    if (n == 0) fail("cannot write at byte " + std::to_string(offset), ENOSPC);
    from += n;
    offset += static_cast<uint64_t>(n);
    bytes -= static_cast<uint64_t>(n);
  }
}

// A failed fsync is never repeated: the kernel may have dropped the pages, and a second fsync would then succeed.
void AtomicFile::commit() {
  if (uninterrupted([&] { return ::fsync(fd_); }) != 0) fail("cannot sync to the disk", errno);
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0 && errno != EINTR) fail("cannot close", errno);
  if (uninterrupted([&] { return ::rename(temp_.c_str(), path_.c_str()); }) != 0) fail("cannot take this name", errno);
  temp_.clear();
  ::close(lock_fd_);
  lock_fd_ = -1;
  if (const int error = sync_folder(folder_)) fail("written, but its folder cannot be synced", error);
}

}  // namespace levin::core
