// trainer.profiler: where the time of a run goes, by plugin and call. While it lives it listens to every call into a
// plugin; without one a call costs a test of a pointer.
#pragma once
#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/adapt/breadcrumb.hpp"

namespace levin::core {

class Profiler : public CallListener {
 public:
  // trace: also keeps each call, for trace().
  explicit Profiler(bool trace);
  ~Profiler() override;
  void enter(const Breadcrumb& call) override;  // any thread
  void leave(const Breadcrumb& call) override;

  // Lines of plugin, call, number of calls, mean and total seconds and share of the time since the profiler began, the
  // longest first. A call's time holds that of the calls within it.
  std::string table() const;
  // The calls in Chrome's trace format, times in microseconds: for chrome://tracing or Perfetto.
  nlohmann::json trace() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Sum {
    int64_t calls = 0;
    double seconds = 0;
  };
  struct Span {
    std::string plugin, call;
    double start, length;  // seconds
    size_t thread;
  };
  static std::vector<Clock::time_point>& starts();
  double since(Clock::time_point time) const;

  const bool keeps_spans_;
  const Clock::time_point began_ = Clock::now();
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Sum> sums_;
  std::vector<Span> spans_;
};

}  // namespace levin::core
