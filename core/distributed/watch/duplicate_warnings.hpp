// Warnings that several processes give alike: the first process shows them, and the others only what it does not say
// within a moment.
#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/distributed/store/store.hpp"

namespace levin::core {

class DuplicateWarnings {
 public:
  // show: puts a line on the terminal; any thread may call it. Of the first process nothing is held back.
  DuplicateWarnings(bool is_first, std::function<void(const std::string&)> show);

  // Any thread. The first process has shown the line; another one leaves it to this object to show it.
  void note(const std::string& line);
  // Now and then. Throws Error{processes}.
  void exchange(Store& store);
  // At the end of the run: tells what is left to tell, or asks for it for a moment.
  void settle(Store& store);
  void close();  // shows what is held back; from now on lines are shown at once

 private:
  struct Line {
    std::string text;
    std::chrono::steady_clock::time_point since;
  };
  std::vector<Line> take();
  bool empty();
  bool is_done(const Line& line, Store& store) const;

  const bool is_first_;
  const std::function<void(const std::string&)> show_;
  std::mutex mutex_;
  std::vector<Line> lines_;
  int warned_ = 0;  // of the first process
  bool closed_ = false;
};

}  // namespace levin::core
