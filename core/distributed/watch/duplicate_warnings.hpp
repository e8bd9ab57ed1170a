// Shows a warning that several ranks emit only once: rank 0 shows all of its warnings. Other ranks show only those that
// rank 0 does not emit within 1.5 s.
#pragma once
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/distributed/store/store.hpp"

namespace levin::core {

class DuplicateWarnings {
 public:
  // show: prints a line on the terminal; any thread may call it.
  DuplicateWarnings(bool is_first, Warn show);

  // Records a warning. On rank 0 the caller has printed the line; on other ranks this object prints it if necessary.
  // Any thread.
  void note(const std::string& line);
  // Publishes rank 0's warnings, and compares those of other ranks with them. Called periodically. Throws
  // Error{processes}.
  void exchange(Store& store);
  // Called at the end of the run. Rank 0 publishes its remaining warnings; other ranks wait until rank 0 has finished
  // or their warnings are shown.
  void settle(Store& store);
  void close();  // shows the warnings held back; from now on warnings are shown at once

 private:
  struct Line {
    std::string text;
    std::chrono::steady_clock::time_point since;
  };
  std::vector<Line> take();
  bool empty();
  bool is_done(const Line& line, Store& store) const;

  const bool is_first_;
  const Warn show_;
  std::mutex mutex_;
  std::vector<Line> lines_;
  int warned_ = 0;  // warnings recorded by rank 0
  bool closed_ = false;
};

}  // namespace levin::core
