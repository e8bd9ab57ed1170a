// The process under the dashboard, with a terminal of its own for its output and a socket for its progress.
#pragma once
#include <sys/types.h>

#include <string>

#include "host/watch/watch_screen.hpp"
#include "launch/common/descriptor.hpp"

namespace levin::core::watch {

class RunChild {
 public:
  // Forks. Throws Error{run} if the system refuses it.
  explicit RunChild(const Size& size);

  bool is_child() const { return pid_ == 0; }
  pid_t pid() const { return pid_; }
  int output() const { return output_.get(); }
  // The socket to poll: of the connection, or that waits for one; -1 = neither.
  int socket() const { return connection_.open() ? connection_.get() : listener_.get(); }
  pid_t peer() const { return peer_; }  // the process that has connected; 0 = none
  void resize(const Size& size) const;

  std::string read_output() const;  // "" = nothing yet
  // Accepts the connection, or returns the next message; "" = none.
  std::string read_message();
  void send(char key) const;
  void signal(int number) const;
  // Returns true once the process has ended.
  bool ended();
  int status() const { return status_; }

 private:
  void become_child(int terminal, const std::string& name) const;

  Descriptor output_, listener_, connection_;
  pid_t pid_ = -1, peer_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace levin::core::watch
