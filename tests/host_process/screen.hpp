// Runs commands on a terminal of a given width, and returns its contents.
#pragma once
#include "host_process/host_process.hpp"

struct Seen {
  ExitCode code;
  std::string bytes;               // all output, with terminal control sequences
  std::vector<std::string> lines;  // final lines; a line that is too long continues in the next
  std::vector<std::string> drawn;  // lines that were erased later, e.g. a progress bar
  size_t widest = 0;               // columns of the widest line
  bool wrapped = false;            // the terminal wrapped a line that was too long
  std::string text() const;        // the lines, each with a line end
};

// Runs the program on a terminal.
Seen on_terminal(Program program, unsigned short columns, const std::vector<Typed>& typed = {});
