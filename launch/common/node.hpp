// The launcher's interface to the ranks of one machine, and their events.
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>

#include "core/base/error_codes.hpp"

namespace levin::core {

class Node {
 public:
  Node() = default;
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  virtual bool has(int rank) const = 0;
  virtual void say(int rank, const std::string& line) = 0;  // through LEVIN_LAUNCHER_FD
  virtual void signal(int signal) = 0;                      // to each running rank, once
  virtual void end() = 0;                                   // SIGTERM, then SIGKILL to the ranks that do not end
  virtual void kill() = 0;                                  // SIGKILL
  virtual void look_at_children() = 0;                      // call after SIGCHLD
  virtual bool over() const = 0;                            // no process of the node is running
};

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
  // A machine cannot be used, or was lost with all its ranks. code: the situation; why: reason.
  virtual void lost(int node, ErrorCode code, const std::string& why) = 0;
};

}  // namespace levin::core
