// What the processes of a run do, as the launcher hears of it: from its own machine or from an agent on another one.
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>

namespace levin::core {

class RankEvents {
 public:
  virtual ~RankEvents() = default;
  virtual void started(int rank, pid_t pid) = 0;
  // What it wrote to its standard output (1) or error (2), in pieces as they were read.
  virtual void wrote(int rank, int fd, std::string_view bytes) = 0;
  // A line of a rank to the launcher, through LEVIN_LAUNCHER_FD.
  virtual void said(int rank, const std::string& line) = 0;
  virtual void stopped(int rank, int signal) = 0;  // 0: it goes on again
  // Comes after all else of this rank. wait_status: that of waitpid().
  virtual void ended(int rank, int wait_status) = 0;
  // A machine cannot be used or was lost with all its ranks: the exit code and the reason.
  virtual void lost(int node, int code, const std::string& why) = 0;
};

}  // namespace levin::core
