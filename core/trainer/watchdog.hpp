// Watches how long calls of plugins take, on every thread of a run, and names one that hangs. It has a thread of its
// own.
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
  // Made on the training thread. patience: trainer.hang_warning, the seconds after which a call hangs; nullopt: 60, and
  // 20 once the run was interrupted; 0: no call ever hangs.
  Watchdog(std::optional<double> patience, Console& console);
  ~Watchdog();
  void run_has_ended() { ended_ = true; }  // everything is saved: from now on the run only waits for threads to end
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Seen {  // the call that a thread was in when it was last looked at
    std::string name;
    uint64_t number = 0, told = 0;  // told: the last call of the thread that a warning was about
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
  std::map<std::string, double> longest_;  // of calls that have returned, where they took long enough to be seen
  std::optional<Clock::time_point> interrupted_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace levin::core
