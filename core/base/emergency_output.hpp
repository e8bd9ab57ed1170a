// Lines of a process that cannot use its console any more: in a signal handler, in a crash, or while another thread
// hangs. Nothing here allocates memory or takes a lock.
#pragma once
#include <cstddef>
#include <string>

namespace levin::core {

// From now on what is written here is also appended to the log of this run folder. Not for signal handlers.
void name_run_folder(const std::string& folder);

// Writes to stderr and to the run's log.
void write_evidence(const char* text, size_t size);

class EmergencyOutput {
 public:
  EmergencyOutput& add(const char* text);  // control characters become spaces
  EmergencyOutput& add(long value);
  EmergencyOutput& add_seconds(double seconds);  // "12 s", "0.3 s"
  // "; go on with: host resume DIR" if the run has a checkpoint
  EmergencyOutput& add_way_on();
  // Writes the line, on a line of its own even where a progress bar has left one unfinished.
  void write();
  [[noreturn]] void end(int code);  // also ends the process, without exit handlers and destructors

 private:
  char text_[8192];
  size_t size_ = 0;
};

// Ends a process that a signal stops before its run has begun, and says that nothing was saved.
[[noreturn]] void end_before_run(int signal);

}  // namespace levin::core
