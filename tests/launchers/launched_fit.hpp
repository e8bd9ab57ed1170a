// A fit of two processes, started by whatever a script says.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "../engine/sandbox.hpp"

// Runs the script in the sandbox's folder. There $fit is the command of the fit, which logs each step into a CSV file.
Outcome run_script(const Sandbox& box, const std::string& script, const std::string& words = "");

// What two processes have logged whom the host itself has started.
const std::string& expected_metrics(const std::string& words = "");
std::string metrics(const Sandbox& box, int version = 0);
// Both processes have written into the folder of one run.
bool is_one_run_of_two(const Sandbox& box);

// A TCP port that nobody has just now.
std::string free_port();
// A socket of 127.0.0.1 at which somebody listens and says nothing.
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
// The addresses on which the engines that run in the sandbox's folder listen, as /proc/net/tcp writes them.
std::set<std::string> listening(const Sandbox& box);

// Words of a fit, and of one that also rests in its second epoch.
extern const std::string ten_rows, rests_in_epoch_1;
// Lines of a shell that write job.sh: that fit, of which rank 1 is killed there, once. The command that goes on with
// it.
extern const std::string with_a_loss, resume_after_loss;
