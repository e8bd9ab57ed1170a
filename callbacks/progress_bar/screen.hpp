// Where the bar is drawn: one line of a terminal that is overwritten, or lines of a file.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#if !defined(_WIN32)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace levin::progress_bar {

inline bool stdout_is_terminal() {
#if defined(_WIN32)
  return false;
#else
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(term && std::string(term) == "dumb");
#endif
}

class Screen {
 public:
  explicit Screen(bool terminal) : terminal_(terminal) {}
  bool terminal() const { return terminal_; }

  size_t width() const {
#if !defined(_WIN32)
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return size.ws_col - 1u;
#endif
    return 79;
  }

  void silence() { silent_ = true; }  // nothing is written any more

  // Draws over the previous drawing.
  void draw(const std::string& line) {
    write("\r\x1b[2K" + line);
    drawn_ = true;
  }
  // Writes a line that stays.
  void line(const std::string& text) {
    clear();
    write(text + "\n");
  }
  void clear() {
    if (drawn_) write("\r\x1b[2K");
    drawn_ = false;
  }
  // Leaves the drawing as it is and starts a new line.
  void leave() {
    if (drawn_) write("\n");
    drawn_ = false;
  }

 private:
  void write(const std::string& text) const {
    if (silent_) return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  bool terminal_;
  bool drawn_ = false, silent_ = false;
};

}  // namespace levin::progress_bar
