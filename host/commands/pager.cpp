#include "host/commands/pager.hpp"

#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

size_t rows_of_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

// Returns the pager's command; "" = none is wanted.
std::string pager_command() {
  const char* given = std::getenv("PAGER");
  const std::string command = given != nullptr ? given : "less";
  return command == "cat" ? "" : command;
}

// less ends at once where the text fits, shows colours, and leaves the text on the screen.
[[noreturn]] void become_pager(const std::string& command, int input) {
  ::dup2(input, STDIN_FILENO);
  ::setenv("LESS", "FRX", 0);
  ::setenv("LV", "-c", 0);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(127);
}

void write_all(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the user has left the pager
    done += static_cast<size_t>(n);
  }
}

}  // namespace

bool show_in_pager(const std::string& text) {
  const size_t rows = rows_of_terminal();
  const std::string command = pager_command();
  if (command.empty() || rows == 0 || !redraws_lines(STDOUT_FILENO)) return false;
  if (static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) < rows) return false;
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const pid_t pager = ::fork();
  if (pager == 0) {
    ::close(ends[1]);
    become_pager(command, ends[0]);
  }
  ::close(ends[0]);
  if (pager < 0) return ::close(ends[1]), false;
  // Ctrl-C is the pager's.
  const auto interrupt = std::signal(SIGINT, SIG_IGN), broken = std::signal(SIGPIPE, SIG_IGN);
  write_all(ends[1], text);
  ::close(ends[1]);
  int status = 0;
  while (::waitpid(pager, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, interrupt);
  std::signal(SIGPIPE, broken);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 127;
}

}  // namespace levin::core
