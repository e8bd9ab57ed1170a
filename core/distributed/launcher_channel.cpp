#include "core/distributed/launcher_channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "core/base/text.hpp"

namespace levin::core {

LauncherChannel LauncherChannel::inherited() {
  const char* given = ::getenv("LEVIN_LAUNCHER_FD");
  if (!given || !*given) return LauncherChannel();
  const int descriptor = std::atoi(given);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // not for programs that plugins start
  ::unsetenv("LEVIN_LAUNCHER_FD");
  return LauncherChannel(descriptor);
}

LauncherChannel::~LauncherChannel() {
  if (open()) ::close(descriptor_);
}

void LauncherChannel::say(const std::string& word, const std::string& rest) {
  if (!open()) return;
  const std::string line = word + " " + printable(rest) + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t done = 0; done < line.size();) {
    const ssize_t n = ::send(descriptor_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the launcher is gone
    done += static_cast<size_t>(n);
  }
}

std::optional<std::string> LauncherChannel::hear(const std::string& word, std::chrono::milliseconds timeout) {
  if (!open()) return std::nullopt;
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    for (size_t newline; (newline = read_.find('\n')) != std::string::npos;) {
      const std::string line = read_.substr(0, newline);
      read_.erase(0, newline + 1);
      if (starts_with(line, word + " ")) return line.substr(word.size() + 1);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd ready{descriptor_, POLLIN, 0};
    const int n = ::poll(&ready, 1, static_cast<int>(left.count()));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    char bytes[4096];
    const ssize_t got = ::recv(descriptor_, bytes, sizeof bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    read_.append(bytes, static_cast<size_t>(got));
  }
}

}  // namespace levin::core
