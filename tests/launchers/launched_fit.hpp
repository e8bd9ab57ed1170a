// A fit of two processes, started by a script.
#pragma once
#include <set>

#include "host_process/sandbox.hpp"

// Runs the script in the sandbox's folder. $fit is the command of a fit that logs each step to a CSV file.
Outcome run_script(const Sandbox& box, const std::string& script, const std::string& words = "");

// Returns the metrics.csv of the same fit with two processes started by the host itself.
const std::string& expected_metrics(const std::string& words = "");
std::string metrics(const Sandbox& box, int version = 0);
// Returns true if both processes have written to the same run folder.
bool is_one_run_of_two(const Sandbox& box);

// Returns a TCP port that is currently free.
std::string free_port();
// A socket on 127.0.0.1 that listens and sends nothing.
class SilentPort {
 public:
  SilentPort();
  ~SilentPort();
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
  std::string number() const;

 private:
  int socket_;
};
bool has_program(const std::string& name);
// Returns the addresses on which the engines in the sandbox's folder listen, in the format of /proc/net/tcp.
std::set<std::string> listening(const Sandbox& box);

// Options of a fit, and of one that also sleeps in its second epoch.
extern const std::string ten_rows, rests_in_epoch_1;
// Shell lines that write job.sh: the latter fit, in which rank 1 is killed once in the second epoch. The command that
// resumes it.
extern const std::string with_a_loss, resume_after_loss;
