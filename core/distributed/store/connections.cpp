#include "core/distributed/store/connections.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>

#include "core/distributed/store/time_limit.hpp"

namespace levin::core {
namespace {

// Returns the port of the socket's other end; 0 = not a connected TCP socket.
int port_of_other_end(int socket) {
  sockaddr_storage other{};
  socklen_t size = sizeof other;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&other), &size) != 0) return 0;
  if (other.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(other).sin_port);
  if (other.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(other).sin6_port);
  return 0;
}

}  // namespace

void end_connections(int port) {
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", unknown)) {
    const int socket = std::atoi(entry.path().filename().c_str());
    if (port_of_other_end(socket) == port) ::shutdown(socket, SHUT_RDWR);
  }
}

ConnectionDeadline::ConnectionDeadline(int port, std::chrono::milliseconds time)
    : thread_([this, port, time] {
        TimeLimit limit(time);
        std::unique_lock<std::mutex> lock(mutex_);
        while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [this] { return over_; }))
          if (limit.is_over()) return end_connections(port);
      }) {}

ConnectionDeadline::~ConnectionDeadline() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

}  // namespace levin::core
