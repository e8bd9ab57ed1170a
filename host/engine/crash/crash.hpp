// Crash handling. The last line of a crash names the signal, the running plugin and the command to resume.
#pragma once
namespace levin::core {

// After this call, a fatal signal or std::terminate prints that line and ends the process with exit code 70, or by the
// signal if the limits allow a core file. A call of exit() or _exit() does the same with exit code 1.
void install_crash_handler();
[[noreturn]] void end_on_exit_call(const char* call);
// Registers the handler for exit() again. Handlers run in reverse order, so call this after plugins have been loaded,
// which may have registered handlers of their own.
void guard_exit();
// Call it in a child process of the engine that runs plugins: calls of exit() are then reported there too.
void guard_exit_of_this_process();

// Prepares write_frames(), the stack of a crashing thread on stderr and in the run's log. Call it once, at the start of
// the process.
void prepare_frames();

// Writes a line for each frame: the function, the source line if the file has debug information, and FILE+0xOFFSET for
// addr2line. A forked child process reads the symbols, without allocating from the heap, which may be corrupt; if it
// crashes or takes too long, only FILE+0xOFFSET is written. Safe in a signal handler.
void write_frames(void* const* frames, int n);

}  // namespace levin::core
