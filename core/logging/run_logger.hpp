// A logger in a run: which calls it may get at this moment, on which thread, and its state for checkpoints. A logger
// that fails after it has begun does not end the run: it is told of once and left out from then on.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/logging/delivered_mark.hpp"
#include "core/logging/delivery.hpp"

namespace levin::core {

class RunLogger {
 public:
  using Warn = std::function<void(const std::string&)>;  // on any thread
  RunLogger(std::unique_ptr<Logger> logger, const DeliveryLimits& limits, Warn warn);
  ~RunLogger();
  RunLogger(const RunLogger&) = delete;
  RunLogger& operator=(const RunLogger&) = delete;

  const Logger& logger() const { return *logger_; }
  // Of a run that goes on, before begin: the logger's state, for which load_component loads a component, and the calls
  // that waited for it. A failure ends the run, and the logger gets no further call.
  void load(StateBag state, const StateBag& waiting, const std::function<void(Component&)>& load_component);
  void begin(const levin_logger_begin& begin);  // throws Error
  const std::string& url() const { return url_; }

  // Makes a call: by `now`, or later by what `copy` returns.
  template <class Now, class Copy>
  void call(LoggerCall::Kind kind, Now&& now, Copy&& copy) {
    if (phase_ != Phase::began) return;
    if (delivery_) {
      if (delivery_->takes(kind)) delivery_->put(copy());
      return;
    }
    guarded([&] { now(static_cast<const Logger&>(*logger_)); });
  }
  // Waits for the calls that wait for the logger. What waits at the deadline is lost, and told, and the logger left
  // out.
  void finish(Delivery::Clock::time_point deadline);

  // For a checkpoint: the state as of now or, of a logger that is left out or has a thread of its own, an earlier one,
  // and the calls that wait. Empty bags are not to be saved.
  StateBag state();
  StateBag waiting_calls() const;

 private:
  enum class Phase { made, began, left_out };
  void guarded(const std::function<void()>& call);
  void save_state();
  void repeat_calls();

  std::unique_ptr<Logger> logger_;
  DeliveryLimits limits_;
  Warn warn_;
  Phase phase_ = Phase::made;
  std::string url_;
  StateBag state_;         // the last one that is known
  WaitingCalls repeated_;  // until begin: of the run that goes on
  std::unique_ptr<Delivery> delivery_;
};

}  // namespace levin::core
