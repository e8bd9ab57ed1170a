// The stack of a thread that crashes, on stderr and in the run's log.
#pragma once

namespace levin::core {

// Looks up the programs that write_frames() starts. Call it once, before anything can crash.
void prepare_frames();

// Writes a line for each frame, with its function where symbols say it. Symbols are looked up by a process of its own:
// this one may have a broken heap. Safe in a signal handler.
void write_frames(void* const* frames, int n);

}  // namespace levin::core
