#include "core/checkpoint/container/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/checkpoint/container/checksum.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

// O_NONBLOCK keeps the open from waiting if the path is a FIFO.
int open_regular(const std::string& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (fd < 0) throw Error(ErrorCode::checkpoint_not_found, path + ": cannot open: " + std::strerror(errno));
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    throw Error(ErrorCode::checkpoint_not_found, path + ": not a regular file");
  }
  return fd;
}

}  // namespace

FileBytes::FileBytes(const std::string& path) : name_(path), fd_(open_regular(path)) {
  const off_t end = ::lseek(fd_, 0, SEEK_END);
  size_ = end > 0 ? static_cast<uint64_t>(end) : 0;
  if (size_ == 0) return;
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd_, 0);
  if (mapped != MAP_FAILED) {
    data_ = static_cast<const char*>(mapped);
    return;
  }
  const int error = errno;
  ::close(fd_);
  fail("cannot map", error);
}

FileBytes::FileBytes(std::string bytes, std::string name)
    : name_(std::move(name)), buffer_(std::move(bytes)), data_(buffer_.data()), size_(buffer_.size()) {}

FileBytes::~FileBytes() {
  if (fd_ < 0) return;
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
  ::close(fd_);
}

std::string FileBytes::read(uint64_t begin, uint64_t bytes) const {
  std::string text(bytes, '\0');
  read_into(text.data(), begin, bytes);
  return text;
}

std::string FileBytes::checksum(uint64_t begin, uint64_t bytes) const {
  if (fd_ < 0) return checksum_of(data_ + begin, bytes);
  Checksum checksum;
  std::string chunk(std::min<uint64_t>(bytes, 1u << 20), '\0');
  for (uint64_t done = 0; done < bytes; done += chunk.size()) {
    const uint64_t n = std::min<uint64_t>(chunk.size(), bytes - done);
    read_into(chunk.data(), begin + done, n);
    checksum.update(chunk.data(), n);
  }
  return checksum.text();
}

void FileBytes::read_into(char* to, uint64_t begin, uint64_t bytes) const {
  if (fd_ < 0) {
    std::memcpy(to, data_ + begin, bytes);
    return;
  }
  while (bytes > 0) {
    const ssize_t n = uninterrupted([&] { return ::pread(fd_, to, bytes, static_cast<off_t>(begin)); });
    if (n < 0) fail("cannot read at byte " + std::to_string(begin), errno);
    if (n == 0) throw Error(ErrorCode::checkpoint_damaged, name_ + ": it was shortened while it was read");
    to += n;
    begin += static_cast<uint64_t>(n);
    bytes -= static_cast<uint64_t>(n);
  }
}

void FileBytes::fail(const std::string& what, int error) const {
  throw Error(ErrorCode::checkpoint_damaged, name_ + ": " + what + ": " + std::strerror(error));
}

}  // namespace levin::core
