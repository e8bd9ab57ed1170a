// Symbol names for the frames of a crash. The engine runs this in a separate process, because its own heap may be
// corrupt.
#pragma once
#include <iosfwd>

namespace levin::core {

// Reads lines "0xOFFSET FILE": first the place of the crash, then return addresses. Writes a line for each: the
// function, the source line if the file has debug information, and FILE+0xOFFSET for addr2line.
int print_frames(std::istream& in, std::ostream& out);

}  // namespace levin::core
