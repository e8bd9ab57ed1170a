#include "host/watch/run_child.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core::watch {
namespace {

constexpr size_t most_bytes = size_t{1} << 16;  // of a message

[[noreturn]] void fail_to(const std::string& what) {
  throw Error(ErrorCode::tool_failed,
              "the dashboard cannot " + what + ": " + std::strerror(errno) + "; leave out --progress dashboard");
}

// A name in the abstract namespace that nobody can guess.
std::string new_name() {
  char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) fail_to("make a name");
  return "levin-dashboard-" + hex_digits({bytes, sizeof bytes});
}

Descriptor listen_at(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Descriptor out(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.open() || ::bind(out.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(out.get(), 1) != 0)
    fail_to("make a socket");
  return out;
}

// Text passes a terminal unchanged in this mode.
void pass_everything(int terminal) {
  termios attributes{};
  ::tcgetattr(terminal, &attributes);
  ::cfmakeraw(&attributes);
  ::tcsetattr(terminal, TCSANOW, &attributes);
}

}  // namespace

RunChild::RunChild(const Size& size) {
  const std::string name = new_name();
  listener_ = listen_at(name);
  output_ = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!output_.open() || ::grantpt(output_.get()) != 0 || ::unlockpt(output_.get()) != 0) fail_to("open a terminal");
  Descriptor terminal(::open(::ptsname(output_.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.open()) fail_to("open a terminal");
  pass_everything(terminal.get());
  resize(size);
  pid_ = ::fork();
  if (pid_ < 0) fail_to("start a process");
  if (pid_ > 0) return;
  become_child(terminal.get(), name);
  listener_.reset();
  output_.reset();
}

// Keys are for the dashboard, and a dashboard that is killed takes the run with it, which saves.
void RunChild::become_child(int terminal, const std::string& name) const {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (is_terminal(0)) ::dup2(nothing.get(), 0);
  for (const int fd : {1, 2})
    if (is_terminal(fd)) ::dup2(terminal, fd);
  ::setenv("TERM", "dumb", 1);  // no line is redrawn
  ::setenv("LEVIN_DASHBOARD", name.c_str(), 1);
}

void RunChild::resize(const Size& size) const {
  winsize out{};
  out.ws_col = static_cast<unsigned short>(size.columns);
  out.ws_row = static_cast<unsigned short>(size.rows);
  ::ioctl(output_.get(), TIOCSWINSZ, &out);
}

std::string RunChild::read_output() const {
  std::string out(size_t{1} << 14, '\0');
  const ssize_t n = uninterrupted([&] { return ::read(output_.get(), out.data(), out.size()); });
  out.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return out;
}

std::string RunChild::read_message() {
  if (!connection_.open()) {
    Descriptor next(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    ucred peer{};
    socklen_t size = sizeof peer;
    if (!next.open() || ::getsockopt(next.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid())
      return "";
    peer_ = peer.pid;
    connection_ = std::move(next);
    return "";
  }
  std::string out(most_bytes, '\0');
  const ssize_t n = uninterrupted([&] { return ::recv(connection_.get(), out.data(), out.size(), 0); });
  if (n == 0 || (n < 0 && errno != EAGAIN)) connection_.reset();
  out.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return out;
}

void RunChild::send(char key) const {
  if (connection_.open()) ::send(connection_.get(), &key, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void RunChild::signal(int number) const { ::kill(pid_, number); }

bool RunChild::ended() {
  if (!ended_) ended_ = uninterrupted([&] { return ::waitpid(pid_, &status_, WNOHANG); }) == pid_;
  return ended_;
}

}  // namespace levin::core::watch
