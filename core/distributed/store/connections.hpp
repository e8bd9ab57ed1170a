// TCP connections of this process that belong to a library, which does not show them.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace levin::core {

// Ends the connections to that port of any machine: whoever reads from one, on any thread, gets its end.
void end_connections(int port);

// Ends them if this object still lives after that time, in which this process ran.
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
  std::thread thread_;  // last: it uses the rest
};

}  // namespace levin::core
