// The launcher's own output, on the terminal that rank 0 also writes to. An output that accepts nothing (a terminal
// after Ctrl-S, a pager) never blocks the launcher: the text waits in memory.
#pragma once
#include <string>
#include <string_view>

namespace levin::core {

// Prints one whole line. On a terminal it replaces an unfinished line, such as a progress bar.
void print_line(int fd, const std::string& line);
// Writes the bytes unchanged to fd 1 or 2. If the output is closed, they are dropped. If 16 MiB are waiting, further
// bytes are dropped, and their number is printed later.
void print_bytes(int fd, std::string_view bytes);

// Writes as much of the waiting text as is accepted. Returns true if text is still waiting.
bool flush_output();
// Call it at the end of the process. Text that is not accepted within 1 s is left to a child process, which writes it
// when possible.
void finish_output();

}  // namespace levin::core
