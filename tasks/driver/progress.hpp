// Shows how far a job is: one line that is written over on a terminal, and a line every 20 s elsewhere.
#pragma once
#include <chrono>
#include <string>

#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

class Progress {
 public:
  Progress(TaskCounts begun, bool terminal);
  void update(const TaskCounts& now, size_t running);  // prints at most as often as it is useful
  void end(const TaskCounts& now);                     // prints the last state
  void say(const std::string& line);                   // prints a line above
  // "tasks 12/100, 2 running, 0 failed, 3.5/s, 00:25 left": at most 79 columns.
  std::string line(const TaskCounts& now, size_t running) const;

 private:
  using Clock = std::chrono::steady_clock;
  void clear();
  const TaskCounts begun_;
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_{};
  size_t width_ = 0;  // of the line on the terminal
};

}  // namespace levin::core::tasks
