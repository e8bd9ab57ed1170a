// Output for a process that cannot use its console any more: in a signal handler, in a crash, or while another thread
// hangs. No function here allocates memory or takes a lock, except name_run_folder().
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace levin::core {

// From now on also appends the output to the log of this run folder. Must not be called in a signal handler.
void name_run_folder(const std::string& folder);

// Writes to stderr and to the run's log.
void write_evidence(const char* text, size_t size);

class EmergencyOutput {
 public:
  // Control characters become spaces. "host:" at the start becomes the name of the program.
  EmergencyOutput& add(std::string_view text);
  EmergencyOutput& add(long value);
  EmergencyOutput& add_hex(unsigned long value);  // "0x4a1c"
  EmergencyOutput& add_seconds(double seconds);   // "12 s", "0.3 s"
  // Adds "; resume with: host resume DIR" if the run has a checkpoint.
  EmergencyOutput& add_way_on();
  // Writes the text on a new line, even if a progress bar has left an unfinished line.
  void write();
  void write_line();                // writes the text where the last one ended
  [[noreturn]] void end(int code);  // writes, then ends the process without exit handlers and destructors

 private:
  char text_[8192];
  size_t size_ = 0;
};

// Ends the process immediately, without exit handlers or destructors. Safe in a signal handler. The engine calls this
// instead of _exit(), which it replaces so that plugins cannot end a run (host/engine/interposed_exit.cpp).
[[noreturn]] inline void end_process(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

// Ends the process after a signal that came before the run began. The message says that nothing was saved.
[[noreturn]] void end_before_run(int signal);

}  // namespace levin::core
