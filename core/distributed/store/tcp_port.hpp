// The port at which rank 0 serves the store: whether it is free, which process listens there, and the connections to
// it.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace levin::core {

// Returns the errno with which listening at this port fails; 0 = the port is free. address: IPv4, of this machine.
int why_not_free(const std::string& address, int port);

enum class Listener { is_there, refused, no_answer };

// Waits until a process accepts connections at this port. Returns refused if connections are still refused after
// refused_for, and no_answer after the timeout.
Listener wait_for_listener(const std::string& address, int port, std::chrono::milliseconds timeout,
                           std::chrono::milliseconds refused_for);

struct PortUser {
  long process = 0;
  std::string name;
  bool is_host = false;  // runs the same program as this process
};

// Returns the process of this machine that listens at the port; nullopt if this user can see none.
std::optional<PortUser> user_of_port(int port);

// Shuts down all connections of this process to that port, which a library owns and does not expose, on any machine: a
// read from one of them, on any thread, returns end-of-file.
void end_connections(int port);

// Shuts down the connections to the port unless this object is destroyed within the given time. Time in which the
// process was stopped does not count.
class ConnectionDeadline {
 public:
  ConnectionDeadline(int port, std::chrono::milliseconds time);
  ~ConnectionDeadline();
  ConnectionDeadline(const ConnectionDeadline&) = delete;
  ConnectionDeadline& operator=(const ConnectionDeadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // last, because it uses the other members
};

}  // namespace levin::core
