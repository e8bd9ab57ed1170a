#include "host/launcher/output/terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace levin::core {

void print_line(int fd, const std::string& line) { print_bytes(fd, (isatty(fd) ? "\r\033[K" : "") + line + "\n"); }

void print_bytes(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
    if (n >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;
    pollfd out{fd, POLLOUT, 0};  // somebody who has the same terminal has made it so
    ::poll(&out, 1, 1000);
  }
}

}  // namespace levin::core
