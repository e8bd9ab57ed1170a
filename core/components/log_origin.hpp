// Which hook, step or override of a component runs now. It decides what log() may do there, and is what a trace shows.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// The place that a log call comes from: the number of a hook (LEVIN_HOOK_*), or a step or override of the model.
enum class LogOrigin : uint32_t {
  training_step = 1000,
  validation_step,
  test_step,
  predict_step,
  configure_optimizers,
  optimizer_step,  // from here on overrides of the model
  optimizer_zero_grad,
  backward,
  configure_gradient_clipping,
  outside,  // a function from which nothing can be logged
};

inline LogOrigin origin_of_hook(uint32_t hook) { return static_cast<LogOrigin>(hook); }
inline bool is_hook(LogOrigin origin) { return static_cast<uint32_t>(origin) < LEVIN_HOOK_COUNT; }

// Remembers the origin of the call that runs now. Used on the training thread alone.
class OriginTracker {
 public:
  // Told of every call before it is made and after it has returned, with the name of the callback's instance, "model"
  // or "data".
  using Trace = std::function<void(const std::string& who, LogOrigin origin, bool entering)>;
  void set_trace(Trace trace) { trace_ = std::move(trace); }
  void trace(const std::string& who, LogOrigin origin, bool entering) const {
    if (trace_) trace_(who, origin, entering);
  }
  LogOrigin now() const { return now_; }

  // The origin is this one for as long as the scope lives. Steps and overrides are traced here, hooks where they are
  // sent.
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
