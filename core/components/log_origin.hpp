// Tracks which hook, step or override of a component is running. This decides which arguments log() accepts, and
// --trace-hooks prints it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// The function that a log call comes from: the number of a hook (LEVIN_HOOK_*), or a step or override of the model.
enum class LogOrigin : uint32_t {
  training_step = 1000,
  validation_step,
  test_step,
  predict_step,
  configure_optimizers,
  optimizer_step,  // from here on: overrides of the model
  optimizer_zero_grad,
  backward,
  configure_gradient_clipping,
  outside,  // any function in which log() is not allowed
};

inline LogOrigin origin_of_hook(uint32_t hook) { return static_cast<LogOrigin>(hook); }
inline bool is_hook(LogOrigin origin) { return static_cast<uint32_t>(origin) < LEVIN_HOOK_COUNT; }

// Holds the origin of the running call. Used only on the training thread.
class OriginTracker {
 public:
  // Called before each call (entering = true) and after it. `who` is the callback's instance name, "model" or "data".
  using Trace = std::function<void(const std::string& who, LogOrigin origin, bool entering)>;
  void set_trace(Trace trace) { trace_ = std::move(trace); }
  void trace(const std::string& who, LogOrigin origin, bool entering) const {
    if (trace_) trace_(who, origin, entering);
  }
  LogOrigin now() const { return now_; }

  // Sets the origin for as long as the scope lives. Steps and overrides are traced here; the Dispatcher traces hooks.
  class Scope {
   public:
    Scope(OriginTracker& tracker, LogOrigin origin) : tracker_(tracker), before_(tracker.now_) {
      tracker_.now_ = origin;
      if (!is_hook(origin)) tracker_.trace("model", origin, true);
    }
    ~Scope() {
      if (!is_hook(tracker_.now_)) tracker_.trace("model", tracker_.now_, false);
      tracker_.now_ = before_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    OriginTracker& tracker_;
    LogOrigin before_;
  };

 private:
  LogOrigin now_ = origin_of_hook(0);
  Trace trace_;
};

}  // namespace levin::core
