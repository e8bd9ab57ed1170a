// Writes the stack of a crashing thread to stderr and to the run's log.
#pragma once

namespace levin::core {

// Prepares write_frames(). Call it once, at the start of the process.
void prepare_frames();

// Writes a line for each frame: the function, the source line if the file has debug information, and FILE+0xOFFSET for
// addr2line. A forked child process reads the symbols, without allocating from the heap, which may be corrupt; if it
// crashes or takes too long, only FILE+0xOFFSET is written. Safe in a signal handler.
void write_frames(void* const* frames, int n);

}  // namespace levin::core
