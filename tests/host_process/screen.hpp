// Runs commands on a terminal of a given width, and returns its contents.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Typed {
  std::string after;  // text that must be on the terminal before the keys are sent
  std::string keys;   // "\x03" is Ctrl-C
};

struct Seen {
  int code = -1;
  std::string bytes;               // all output, with terminal control sequences
  std::vector<std::string> lines;  // final lines; a line that is too long continues in the next
  std::vector<std::string> drawn;  // lines that were erased later, e.g. a progress bar
  size_t widest = 0;               // columns of the widest line
  bool wrapped = false;            // the terminal wrapped a line that was too long
  std::string text() const;        // the lines, each with a line end
};

// Runs a shell command. If nothing is written to the terminal for two minutes, the command is ended and code is -1.
Seen on_terminal(const std::string& command, unsigned short columns, const std::vector<Typed>& typed = {});
