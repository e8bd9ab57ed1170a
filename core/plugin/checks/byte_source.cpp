#include "core/plugin/checks/byte_source.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace levin::core {

// The file is read with pread instead of mmap: if it shrinks meanwhile, the result is a short read and not a SIGBUS.
ByteSource::ByteSource(int fd) : fd_(fd) {
  struct stat st {};
  if (fstat(fd, &st) == 0 && st.st_size > 0) size_ = static_cast<uint64_t>(st.st_size);
}

bool ByteSource::read(uint64_t offset, void* to, uint64_t n) const {
  if (!holds(offset, n)) return false;
  if (fd_ < 0) {
    if (n) std::memcpy(to, bytes_.data() + offset, n);
    return true;
  }
  constexpr uint64_t block = 16384, small = 4096;
  if (n > small) return read_file(offset, static_cast<char*>(to), n);
  if (offset < block_at_ || offset + n > block_at_ + block_.size()) {
    block_at_ = offset / small * small;
    block_.resize(std::min(block, size_ - block_at_));
    if (!read_file(block_at_, block_.data(), block_.size())) block_.clear();
  }
  if (offset + n > block_at_ + block_.size()) return false;
  std::memcpy(to, block_.data() + (offset - block_at_), n);
  return true;
}

bool ByteSource::read_file(uint64_t offset, char* to, uint64_t n) const {
  while (n) {
    const ssize_t got = pread(fd_, to, n, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += static_cast<uint64_t>(got);
    n -= static_cast<uint64_t>(got);
  }
  return true;
}

std::string ByteSource::text(uint64_t offset, uint64_t n) const {
  if (!holds(offset, n)) return {};
  std::string out(n, '\0');
  if (!read(offset, out.data(), n)) out.clear();
  return out;
}

std::string ByteSource::c_string(uint64_t offset) const {
  if (offset >= size_) return {};
  const std::string some = text(offset, std::min<uint64_t>(4096, size_ - offset));
  const size_t end = some.find('\0');
  return end == std::string::npos ? std::string() : some.substr(0, end);
}

}  // namespace levin::core
