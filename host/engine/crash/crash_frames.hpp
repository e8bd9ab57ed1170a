// Writes the stack of a crashing thread to stderr and to the run's log.
#pragma once

namespace levin::core {

// Looks up the programs that write_frames() starts. Call it once, at the start of the process.
void prepare_frames();

// Writes a line for each frame, with its function if symbols are available. A separate process looks up the symbols,
// because the heap of this one may be corrupt. Safe in a signal handler.
void write_frames(void* const* frames, int n);

}  // namespace levin::core
