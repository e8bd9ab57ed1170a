// What --progress dashboard shows of the run that it has started.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/watch/watch_screen.hpp"

namespace levin::core::watch {

// What the messages of the run say, and the curves of its metrics. A message is lines of "name<TAB>value" and
// "metric<TAB>name<TAB>value".
class RunMessages {
 public:
  // now: seconds of a clock.
  void read(const std::string& message, double now);

  const std::string& text(const std::string& name) const;
  double number(const std::string& name, double otherwise) const;
  bool paused() const { return text("paused") == "1"; }
  const std::map<std::string, MetricHistory>& metrics() const { return metrics_; }
  // The seconds until the last step of the fit; nullopt = not known.
  std::optional<double> seconds_left() const;

 private:
  void add(const std::string& name, double value);
  std::map<std::string, std::string> texts_;
  std::map<std::string, MetricHistory> metrics_;
  double first_step_ = -1, first_time_ = 0, time_ = 0;
};

enum class RunMood { starting, running, stopping };  // stopping: it was asked to

struct DashboardState {
  const RunMessages* run = nullptr;
  RunMood mood = RunMood::starting;
  std::vector<std::string> load;  // pieces of a line
  std::string log;                // the end of what the run has written
};

// Returns at most size.rows lines of at most size.columns columns each.
std::vector<std::string> dashboard_screen(const DashboardState& state, const Size& size);

}  // namespace levin::core::watch
