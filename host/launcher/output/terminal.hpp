// What the launcher itself writes, beside rank 0, which writes to the same terminal.
#pragma once
#include <string>
#include <string_view>

namespace levin::core {

// One whole line. On a terminal it takes the place of an unfinished line, such as a progress bar.
void print_line(int fd, const std::string& line);
void print_bytes(int fd, std::string_view bytes);  // as they are; an output that is closed loses them

}  // namespace levin::core
