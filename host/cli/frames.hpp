// Names for the frames of a crash. The engine asks a process of its own for them, because its heap may be broken.
#pragma once
#include <iosfwd>

namespace levin::core {

// Reads lines "0xOFFSET FILE", the first of which is where the crash happened, and the others where calls return to,
// and writes a line for each: function, source line where the file has debug information, and FILE+0xOFFSET for
// addr2line.
int print_frames(std::istream& in, std::ostream& out);

}  // namespace levin::core
