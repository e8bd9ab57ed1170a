// Shows how far a sweep is: a line for each trial that has ended, and below it, on a terminal, a line that is written
// over. Elsewhere that line comes every 20 s.
#pragma once
#include <chrono>
#include <string>

#include "sweep/driver/settings.hpp"

namespace levin::core::sweep {

// "model.lr 0.01, data.batch_size 64"
std::string values_text(const Trial& trial);
std::string short_number(double value);

class TrialTable {
 public:
  TrialTable(const SweepSettings& settings, bool terminal);
  void row(const Trial& trial, const std::string& state);
  void say(const std::string& line);
  void update(const Study& study, size_t running);  // prints at most as often as it is useful
  void end(const Study& study);
  std::string line(const Study& study, size_t running) const;  // at most 79 columns

 private:
  using Clock = std::chrono::steady_clock;
  void clear();
  const std::string metric_;
  const int64_t trials_;
  const bool terminal_;
  bool headed_ = false;
  Clock::time_point shown_{};
  size_t width_ = 0;
};

}  // namespace levin::core::sweep
