// trainer.profiler: measures the time of a run by plugin and call. While it exists, it listens to every call of a
// plugin and every action of the loops, and to LibTorch's operators if it keeps a trace. Without a profiler, a call
// only tests a pointer.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/abi/breadcrumb.hpp"

namespace levin::core {

// While it exists, the call listener also receives LibTorch's operators, forward and backward, from all callers.
class OperatorCalls {
 public:
  OperatorCalls();
  ~OperatorCalls();
  OperatorCalls(const OperatorCalls&) = delete;
  OperatorCalls& operator=(const OperatorCalls&) = delete;

 private:
  uint64_t handle_;
};

class Profiler : public CallListener {
 public:
  // trace: true also stores every single call, including operators, for trace(), up to most_spans calls.
  explicit Profiler(bool trace);
  ~Profiler() override;
  void enter(const Breadcrumb& call) override;  // any thread
  void leave(const Breadcrumb& call) override;

  // Returns a text table with a line for each plugin, component instance and call: number of calls, mean and total
  // seconds, and share of the time since the profiler was made, sorted by descending total. The time of a call includes
  // nested calls.
  std::string table() const;
  // Returns the calls as JSON in Chrome's trace format, with times in microseconds, for chrome://tracing or Perfetto.
  // otherData.left_out is the number of calls beyond most_spans.
  std::string trace() const;
  struct Sum {
    int64_t calls = 0;
    double seconds = 0;
  };
  using Sums = std::map<std::pair<std::string, std::string>, Sum>;
  // Returns the sums by "FILE INSTANCE" and call. Only valid while no call is running, because it takes no lock.
  const Sums& sums() const { return sums_; }

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
  std::optional<OperatorCalls> operators_;  // last, so that it is destroyed first and its callbacks stop
};

}  // namespace levin::core
