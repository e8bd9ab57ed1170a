// The launcher's interface to the ranks of one machine.
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
  virtual void signal(int signal) = 0;                      // to each running rank, once
  virtual void end() = 0;                                   // SIGTERM, then SIGKILL to the ranks that do not end
  virtual void kill() = 0;                                  // SIGKILL
  virtual void look_at_children() = 0;                      // call after SIGCHLD
  virtual bool over() const = 0;                            // no process of the node is running
};

}  // namespace levin::core
