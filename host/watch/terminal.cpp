#include "host/watch/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core::watch {
namespace {

constexpr int time_to_take = 1000;  // milliseconds
constexpr const char* enter_text = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
constexpr const char* leave_text = "\x1b[?25h\x1b[?1049l";

// Opens the terminal a second time: the first open file is shared with the shell and must stay blocking.
int of_its_own(int fd) {
  return ::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// tcsetattr() stops a process in the background, unless it ignores SIGTTOU.
void set_attributes(const termios& attributes) {
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGTTOU, &ignore, &before);
  ::tcsetattr(0, TCSANOW, &attributes);
  ::sigaction(SIGTTOU, &before, nullptr);
}

}  // namespace

Terminal::Terminal() : keys_(is_terminal(0)), screen_(of_its_own(1)) {}

Terminal::~Terminal() {
  leave();
  if (screen_ >= 0) ::close(screen_);
}

Size Terminal::size() const {
  winsize size{};
  Size out;
  if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    out.columns = size.ws_col, out.rows = size.ws_row;
  out.colours = shows_colours(1);
  return out;
}

// A terminal that is not the controlling one has no process group in the foreground.
bool Terminal::is_ours() const {
  const pid_t group = ::tcgetpgrp(1);
  return group < 0 || group == ::getpgrp();
}

void Terminal::enter() {
  if (entered_ || !is_ours()) return;
  entered_ = true;
  if (keys_ && ::tcgetattr(0, &before_) == 0) {
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    set_attributes(raw);
  }
  drawn_.clear();
  drawn_size_ = {0, 0, false};
  waiting_.clear();
  write(enter_text);
}

void Terminal::leave() {
  if (!entered_) return;
  entered_ = false;
  write(leave_text);
  pollfd out{screen_, POLLOUT, 0};
  while (!flush() && ::poll(&out, 1, time_to_take) > 0) {
  }
  if (keys_) set_attributes(before_);
}

// Rows that have not changed are not written again, because the terminal may be far away.
void Terminal::draw(const std::vector<std::string>& lines) {
  if (!entered_ || !flush()) return;
  const Size now = size();
  std::string text;
  if (now.columns != drawn_size_.columns || now.rows != drawn_size_.rows) {
    text = "\x1b[2J";
    drawn_.clear();
  }
  drawn_size_ = now;
  for (size_t i = 0; i < lines.size(); ++i)
    if (i >= drawn_.size() || drawn_[i] != lines[i])
      text += "\x1b[" + std::to_string(i + 1) + ";1H" + lines[i] + "\x1b[K";
  if (lines.size() < drawn_.size()) text += "\x1b[" + std::to_string(lines.size() + 1) + ";1H\x1b[J";
  drawn_ = lines;
  write(text);
}

char Terminal::key() const {
  char key = '\0';
  pollfd typed{0, POLLIN, 0};
  const bool has_key = entered_ && keys_ && is_ours() && ::poll(&typed, 1, 0) > 0;
  return has_key && ::read(0, &key, 1) == 1 ? key : '\0';
}

void Terminal::write(const std::string& text) {
  waiting_ += text;
  flush();
}

// Returns true if nothing is left to write. What a terminal that has gone cannot take is dropped.
bool Terminal::flush() {
  while (!waiting_.empty()) {
    const ssize_t n = ::write(screen_, waiting_.data(), waiting_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return false;
    waiting_.erase(0, n < 0 ? waiting_.size() : static_cast<size_t>(n));
  }
  return true;
}

}  // namespace levin::core::watch
