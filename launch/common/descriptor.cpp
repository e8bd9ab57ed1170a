#include "launch/common/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

[[noreturn]] void fail_to(const std::string& what) {
  throw Error(ErrorCode::system_call_failed, "cannot " + what + ": " + std::strerror(errno));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  reset();
  fd_ = other.release();
  return *this;
}

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

Pipe::Pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_to("make a pipe");
  read_end = Descriptor(ends[0]);
  write_end = Descriptor(ends[1]);
}

SocketPair::SocketPair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_to("make a pair of sockets");
  ours = Descriptor(ends[0]);
  theirs = Descriptor(ends[1]);
}

Descriptor file_in_memory(std::string_view bytes) {
  Descriptor file(::memfd_create("levin-run-config", MFD_CLOEXEC));
  if (!file.open()) fail_to("make an anonymous file");
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
    if (n <= 0) fail_to("write an anonymous file");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail_to("rewind an anonymous file");
  return file;
}

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool read_available(int fd, std::string& to) {
  char buffer[65536];
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n > 0) to.append(buffer, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace levin::core
