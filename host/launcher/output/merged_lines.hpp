// The lines of the ranks whose output does not go to the terminal itself. What several of them say at about the same
// time is one line, with their numbers before it.
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <set>
#include <string>

namespace levin::core {

// "[rank 2] ", "[ranks 1-3] ", "[ranks 1,3-5] "
std::string label_of(const std::set<int>& ranks);

class MergedLines {
 public:
  using Clock = std::chrono::steady_clock;
  // fd: 1 or 2, where the ranks wrote the line.
  using Print = std::function<void(int fd, const std::string& line)>;
  // How long a line waits for other ranks that say the same.
  static constexpr std::chrono::milliseconds wait{500};

  MergedLines(size_t ranks, Print print) : ranks_(ranks), print_(std::move(print)) {}
  void add(int rank, int fd, const std::string& line, Clock::time_point now = Clock::now());
  // Prints what has waited long enough, and what all ranks have said by now.
  void print_due(Clock::time_point now = Clock::now());
  void print_all();

 private:
  struct Line {
    std::set<int> ranks;
    int fd;
    std::string text;
    Clock::time_point since;
  };
  void print_first();

  size_t ranks_;
  Print print_;
  std::deque<Line> waiting_;  // in the order in which they are printed
};

}  // namespace levin::core
