// The ranks of one machine, as the launcher sees them.
#pragma once
#include <string>

namespace levin::core {

class Node {
 public:
  Node() = default;
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  virtual bool has(int rank) const = 0;
  virtual void say(int rank, const std::string& line) = 0;  // through LEVIN_LAUNCHER_FD
  virtual void signal(int signal) = 0;                      // to each rank that still runs, once
  virtual void end() = 0;                                   // SIGTERM, and SIGKILL to those that stay
  virtual void kill() = 0;                                  // SIGKILL
  virtual void look_at_children() = 0;                      // a SIGCHLD has come
  virtual bool over() const = 0;                            // nothing of it runs any more
};

}  // namespace levin::core
