// Commands on a terminal of a given width, and what a reader sees there.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Typed {
  std::string after;  // what has to be on the terminal first
  std::string keys;   // "\x03" is Ctrl-C
};

struct Seen {
  int code = -1;
  std::string bytes;               // all that was written, with the controls of the terminal
  std::vector<std::string> lines;  // as they are at the end; one that is too long goes on in the next
  std::vector<std::string> drawn;  // lines that were erased later, as a progress bar is
  size_t widest = 0;               // columns of the widest line
  bool wrapped = false;            // the terminal broke a line that was too long
  std::string text() const;        // the lines, each with its end
};

// Runs a command of the shell. A terminal that says nothing for two minutes is given up: code -1.
Seen on_terminal(const std::string& command, unsigned short columns, const std::vector<Typed>& typed = {});
