// Access to TCP connections of this process that a library owns and does not expose.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace levin::core {

// Shuts down all connections to that port on any machine: a read from one of them, on any thread, returns end-of-file.
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
