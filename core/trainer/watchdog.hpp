// Measures how long plugin calls take, on every thread of a run, and warns about a call that hangs. Uses its own
// thread.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/abi/running_calls.hpp"
#include "core/base/console/console.hpp"

namespace levin::core {

class Watchdog {
 public:
  // Must be constructed on the training thread. patience: trainer.hang_warning, the seconds after which a call counts
  // as hanging; nullopt = 60, and 20 after an interrupt; 0 = never.
  Watchdog(std::optional<double> patience, Console& console);
  ~Watchdog();
  void run_has_ended() { ended_ = true; }  // everything is saved: from now on the run only waits for threads
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Seen {  // the call that a thread was in when last checked
    std::string name;
    uint64_t number = 0, told = 0;  // told: the thread's last call with a warning
    double seconds = 0;
  };
  void watch();
  void look();
  void remember(const RunningCall* calls, size_t n);
  void warn_of(const RunningCall& call);
  void tell_returned(Seen& seen);
  void end_if_stuck(const RunningCall* calls, size_t n);
  double limit(const std::string& name, double patience) const;
  [[noreturn]] void end(int signal, const RunningCall& call) const;

  const std::optional<double> patience_;
  Console& console_;
  const pid_t training_thread_;
  std::map<pid_t, Seen> threads_;
  std::map<std::string, double> longest_;  // durations of returned calls that took long enough to be seen
  std::optional<Clock::time_point> interrupted_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;  // last, because it uses the other members
};

}  // namespace levin::core
