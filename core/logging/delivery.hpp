// Makes the calls of one logger on a thread of its own, one at a time and in order, so that a slow or hung logger does
// not slow training. The functions are for the training thread; they block only where documented.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "core/base/error.hpp"
#include "core/logging/logger_call.hpp"

namespace levin::core {

// Limits of a logger's queue. When they are reached, rows of metrics and media are dropped.
struct DeliveryLimits {
  size_t calls = 10000;
  size_t bytes = size_t{64} << 20;
};

class Delivery {
 public:
  using Clock = std::chrono::steady_clock;
  struct Parts {
    Logger& logger;
    DeliveryLimits limits;
    std::function<void(uint64_t number)> delivered;  // called after each call, on the delivery's thread
    Warn warn;
    StateBag state;     // the logger's current state
    uint64_t last = 0;  // the number of the logger's last call
  };
  explicit Delivery(Parts parts);
  ~Delivery();  // calls give_up(); the owner calls it before, because it needs the result
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

  // Returns true if a call of this kind may be queued now. Counts the call as dropped if the queue is full.
  bool takes(LoggerCall::Kind kind);
  void put(LoggerCall call);     // queues a call and numbers it
  void repeat(LoggerCall call);  // queues a call that has a number already
  // Blocks until all calls are made. Returns false if the deadline comes first.
  bool wait_until(Clock::time_point deadline);
  // Ends the thread. Calls still queued are lost, with a warning. Returns false if the logger hangs in a call: the
  // thread is then detached, and the logger must never be destroyed.
  bool give_up();

  StateBag state() const;        // the logger's state after its last flush
  WaitingCalls waiting() const;  // includes the call that is running
  size_t size() const;           // number of queued calls
  std::string dropped() const;   // the calls dropped so far, for messages; "" = none

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // shared with the thread, which may outlive this object
  std::thread thread_;
};

}  // namespace levin::core
