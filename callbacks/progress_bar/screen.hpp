// The output of the progress bar: one line of a terminal that is overwritten, or lines of a file.
#pragma once
#include <cstdio>
#include <string>

#include "levin/util/terminal.hpp"

namespace levin::progress_bar {

class Screen {
 public:
  explicit Screen(bool terminal) : terminal_(terminal) {}
  bool terminal() const { return terminal_; }

  // The width of a drawing. It leaves room for the "^C" that a terminal appends, which would otherwise wrap the line.
  size_t width() const {
    const size_t columns = terminal_columns();
    return columns == 0 ? 78 : columns > 12 ? columns - 2 : 10;
  }
  // The width of permanent lines; 0 = no wrapping.
  size_t columns() const { return terminal_columns(); }

  void silence() { silent_ = true; }  // suppresses all further output

  // Draws over the previous drawing.
  void draw(const std::string& line) {
    write("\r\x1b[2K" + line);
    drawn_ = true;
  }
  // Writes a permanent line.
  void line(const std::string& text) {
    clear();
    write(text + "\n");
  }
  void clear() {
    if (drawn_) write("\r\x1b[2K");
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
