// Makes the calls of one logger on a thread of its own, one at a time and in order, so that a slow or hung logger does
// not slow training. Its functions are for the training thread, which they let wait only where they say so.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "core/logging/logger_call.hpp"

namespace levin::core {

// How much may wait for a logger. Beyond that, rows of metrics and media are dropped.
struct DeliveryLimits {
  size_t calls = 10000;
  size_t bytes = size_t{64} << 20;
};

class Delivery {
 public:
  using Clock = std::chrono::steady_clock;
  using Warn = std::function<void(const std::string&)>;  // on any thread
  struct Parts {
    Logger& logger;
    DeliveryLimits limits;
    std::function<void(uint64_t number)> delivered;  // called after each call, on the delivery's thread
    Warn warn;
    StateBag state;     // of the logger, as it is now
    uint64_t last = 0;  // the number of the logger's last call
  };
  explicit Delivery(Parts parts);
  ~Delivery();  // give_up() has to be called before
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

  // Whether a call of this kind may be put now. If not because too much waits, it counts as dropped.
  bool takes(LoggerCall::Kind kind);
  void put(LoggerCall call);     // gives the call its number
  void repeat(LoggerCall call);  // the same for a call that has a number
  // Waits until every call was made. false: the deadline came first.
  bool wait_until(Clock::time_point deadline);
  // Ends the thread. What still waits is lost, and told. Returns false if the logger hangs in a call: the thread is
  // then left to itself, and the logger must never be destroyed.
  bool give_up();

  StateBag state() const;        // of the logger after its last flush
  WaitingCalls waiting() const;  // also the call that is being made
  size_t size() const;           // how many calls wait
  std::string dropped() const;   // what was dropped so far, for people; "": nothing

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // also the thread's, which may live longer
  std::thread thread_;
};

}  // namespace levin::core
