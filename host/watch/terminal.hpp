// The terminal while a screen is drawn on it: keys come at once, and the text from before is there again at the end.
#pragma once
#include <termios.h>

#include <string>
#include <vector>

#include "host/watch/watch_screen.hpp"

namespace levin::core::watch {

// Draws on the standard output, and reads keys from the standard input if it is a terminal, too. A terminal that takes
// nothing, as after Ctrl-S, never blocks: drawings are left out.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  Size size() const;
  // Does nothing while another process group has the terminal.
  void enter();
  void leave();
  bool entered() const { return entered_; }
  void draw(const std::vector<std::string>& lines);

  bool has_keys() const { return keys_; }
  // Returns the next key that was typed; '\0' = none.
  char key() const;

 private:
  bool is_ours() const;
  void write(const std::string& text);
  bool flush();

  bool keys_, entered_ = false;
  int screen_;
  termios before_{};
  std::vector<std::string> drawn_;
  Size drawn_size_;
  std::string waiting_;  // what the terminal has not taken
};

}  // namespace levin::core::watch
