// trainer.profiler: where the time of a run goes, by plugin and call. While it lives it listens to every call into a
// plugin, to what the loops do, and where it keeps a trace to LibTorch's operators; without one a call costs a test of
// a pointer.
#pragma once
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/abi/breadcrumb.hpp"
#include "core/trainer/profiling/operator_calls.hpp"

namespace levin::core {

class Profiler : public CallListener {
 public:
  // trace: also keeps each call, operators too, for trace(); at most most_spans of them.
  explicit Profiler(bool trace);
  ~Profiler() override;
  void enter(const Breadcrumb& call) override;  // any thread
  void leave(const Breadcrumb& call) override;

  // Lines of plugin and its component's instance, call, number of calls, mean and total seconds and share of the time
  // since the profiler began, the longest first. A call's time holds that of the calls within it.
  std::string table() const;
  // The calls in Chrome's trace format, times in microseconds: for chrome://tracing or Perfetto. Its otherData says how
  // many calls found no place in it.
  std::string trace() const;
  struct Sum {
    int64_t calls = 0;
    double seconds = 0;
  };
  using Sums = std::map<std::pair<std::string, std::string>, Sum>;
  const Sums& sums() const { return sums_; }  // by "FILE INSTANCE" and call; when nothing runs any more

  static constexpr size_t most_spans = 500'000;

 private:
  using Clock = std::chrono::steady_clock;
  struct Span {
    const Sums::value_type* call;
    double start, length;  // seconds
    size_t thread;
  };
  static std::vector<Clock::time_point>& starts();
  double since(Clock::time_point time) const;

  const bool keeps_spans_;
  const Clock::time_point began_ = Clock::now();
  mutable std::mutex mutex_;
  Sums sums_;
  std::vector<Span> spans_;
  size_t left_out_ = 0;
  std::optional<OperatorCalls> operators_;  // last: its calls stop first
};

}  // namespace levin::core
