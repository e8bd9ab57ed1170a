// What the launcher itself writes, beside rank 0, which writes to the same terminal. An output that takes nothing, a
// terminal after Ctrl-S or a pager that nobody scrolls, holds up nobody: what it does not take waits in memory.
#pragma once
#include <string>
#include <string_view>

namespace levin::core {

// One whole line. On a terminal it takes the place of an unfinished line, such as a progress bar.
void print_line(int fd, const std::string& line);
// Bytes as they are, to 1 or 2. An output that is closed loses them, and one that takes nothing those behind 16 MiB, of
// which it is told how many there were.
void print_bytes(int fd, std::string_view bytes);

// Writes what waits, as far as it is taken. Returns whether anything still waits.
bool flush_output();
// At the end of the process: leaves what is not taken for a second to a child, which writes it when it is taken.
void finish_output();

}  // namespace levin::core
