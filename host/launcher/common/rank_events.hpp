// Events of the processes of a run, on this machine or reported by the agent of another one.
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>

namespace levin::core {

class RankEvents {
 public:
  virtual ~RankEvents() = default;
  virtual void started(int rank, pid_t pid) = 0;
  // The rank wrote to its standard output (fd 1) or error (fd 2). `bytes` is a piece as it was read.
  virtual void wrote(int rank, int fd, std::string_view bytes) = 0;
  // The rank sent a line to the launcher through LEVIN_LAUNCHER_FD.
  virtual void said(int rank, const std::string& line) = 0;
  virtual void stopped(int rank, int signal) = 0;  // 0 = continued
  // The last event of a rank. wait_status: as from waitpid().
  virtual void ended(int rank, int wait_status) = 0;
  // A machine cannot be used, or was lost with all its ranks. code: exit code; why: reason.
  virtual void lost(int node, int code, const std::string& why) = 0;
};

}  // namespace levin::core
