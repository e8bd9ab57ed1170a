#include "core/distributed/store/tcp_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "core/base/text.hpp"
#include "core/distributed/store/time_limit.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds one_attempt{400};

class PortSocket {
 public:
  explicit PortSocket(int kind) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | kind, 0)) {}
  ~PortSocket() {
    if (fd_ >= 0) ::close(fd_);
  }
  PortSocket(const PortSocket&) = delete;
  PortSocket& operator=(const PortSocket&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

sockaddr_in socket_address(const std::string& address, int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &out.sin_addr);
  return out;
}

Listener try_to_connect(const std::string& address, int port) {
  const PortSocket socket(SOCK_NONBLOCK);
  const sockaddr_in to = socket_address(address, port);
  if (::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return Listener::is_there;
  if (errno == EINPROGRESS) {
    pollfd ready{socket.fd(), POLLOUT, 0};
    if (::poll(&ready, 1, static_cast<int>(one_attempt.count())) <= 0) return Listener::no_answer;
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    if (error == 0) return Listener::is_there;
  }
  return errno == ECONNREFUSED ? Listener::refused : Listener::no_answer;
}

// Returns the inodes of the sockets that listen at the port.
std::set<std::string> listening_sockets(int port) {
  std::set<std::string> inodes;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    std::string line;
    for (std::getline(file, line); std::getline(file, line);) {
      std::istringstream fields(line);
      std::string number, local, remote, state, word, inode;
      fields >> number >> local >> remote >> state;
      for (int field = 4; field < 10; ++field) fields >> inode;
      const size_t colon = local.rfind(':');
      if (state == "0A" && colon != std::string::npos && std::strtol(local.c_str() + colon + 1, nullptr, 16) == port)
        inodes.insert(inode);
    }
  }
  return inodes;
}

bool has_one_of(const fs::path& process, const std::set<std::string>& inodes) {
  std::error_code unknown;
  for (fs::directory_iterator it(process / "fd", unknown), end; !unknown && it != end; it.increment(unknown)) {
    std::error_code gone;
    const std::string what = fs::read_symlink(it->path(), gone).string();
    if (starts_with(what, "socket:[") && inodes.count(what.substr(8, what.size() - 9)) > 0) return true;
  }
  return false;
}

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

int why_not_free(const std::string& address, int port) {
  const PortSocket socket(0);
  const int yes = 1;
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in at = socket_address(address, port);
  const bool free =
      ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 && ::listen(socket.fd(), 1) == 0;
  return free ? 0 : errno;
}

Listener wait_for_listener(const std::string& address, int port, milliseconds timeout, milliseconds refused_for) {
  TimeLimit end(timeout), end_of_refusals(refused_for);
  for (milliseconds pause{10};; pause = std::min(pause * 2, milliseconds(200))) {
    const Listener seen = try_to_connect(address, port);
    const bool refusals_count = end_of_refusals.is_over();
    if (seen == Listener::is_there || end.is_over() || (seen == Listener::refused && refusals_count)) return seen;
    std::this_thread::sleep_for(pause);
  }
}

std::optional<PortUser> user_of_port(int port) {
  const std::set<std::string> inodes = listening_sockets(port);
  if (inodes.empty()) return std::nullopt;
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  for (fs::directory_iterator it("/proc", unknown), end; !unknown && it != end; it.increment(unknown)) {
    const std::string number = it->path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos || !has_one_of(it->path(), inodes)) continue;
    PortUser user;
    user.process = std::atol(number.c_str());
    std::ifstream name(it->path() / "comm");
    std::getline(name, user.name);
    std::error_code hidden;
    user.is_host = fs::read_symlink(it->path() / "exe", hidden) == own;
    return user;
  }
  return std::nullopt;
}

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
