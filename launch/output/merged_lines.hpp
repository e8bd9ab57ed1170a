// The lines of the ranks that do not write to the terminal themselves.
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// Returns "[rank 2] ", "[ranks 1-3] " or "[ranks 1,3-5] ".
std::string label_of(const std::set<int>& ranks);

// Prints equal lines of several ranks within a short time once, preceded by the rank numbers.
class MergedLines {
 public:
  using Clock = std::chrono::steady_clock;
  // fd: 1 or 2, the stream to which the ranks wrote the line.
  using Print = std::function<void(int fd, const std::string& line)>;
  // How long a line waits for equal lines of other ranks.
  static constexpr std::chrono::milliseconds wait{500};

  MergedLines(size_t ranks, Print print) : ranks_(ranks), print_(std::move(print)) {}
  void add(int rank, int fd, const std::string& line, Clock::time_point now = Clock::now());
  // Prints the lines that have waited long enough or that all ranks have written.
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
  std::deque<Line> waiting_;  // in the order of printing
};

// Splits the output of a process into lines.
class LineSplitter {
 public:
  // Returns the complete lines without line ends. A line longer than 64 KiB is cut.
  std::vector<std::string> add(std::string_view bytes);
  // Returns the incomplete line at the end of the output, if there is one.
  std::vector<std::string> rest();

 private:
  std::string partial_;
};

}  // namespace levin::core
