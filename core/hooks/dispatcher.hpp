// Sends events to callbacks, the model and the data module, in Lightning's order. Who wants which hook is known before
// the loop; a hook that nobody wants costs one load.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/components/callback.hpp"
#include "core/components/data_module.hpp"
#include "core/components/model.hpp"
#include "core/progress/position.hpp"

namespace levin::core {

class Dispatcher {
 public:
  Dispatcher(Model& model, DataModule* data, std::vector<std::unique_ptr<Callback>> callbacks);

  void set_run(levin_run* run) { run_ = run; }
  levin_run* run() const { return run_; }
  Position& position() { return position_; }
  const std::vector<std::unique_ptr<Callback>>& callbacks() const { return callbacks_; }

  bool wanted(uint32_t hook) const { return wanted_[hook]; }
  // fill(levin_event&) adds what this hook has. Returns LEVIN_SKIP_EPOCH or LEVIN_SKIP if somebody asked for it.
  template <class Fill>
  levin_status fire(uint32_t hook, Fill&& fill) {
    if (!wanted_[hook] && !tap_) return LEVIN_OK;
    levin_event event = make(hook);
    fill(event);
    return send(event);
  }
  levin_status fire(uint32_t hook) {
    return fire(hook, [](levin_event&) {});
  }
  void model_only(uint32_t hook);
  // The model before the callbacks. epoch, global_step: of the checkpoint.
  void load_checkpoint(const levin_reader& reader, const std::string& path, int64_t epoch, int64_t global_step);
  void data_only(uint32_t hook);
  // Callbacks that do not monitor, the model, then those that do.
  void train_epoch_end();
  // Calls every receiver, whatever the ones before did; returns the first error's text. For exceptions and teardown.
  std::string fire_to_all(uint32_t hook, const std::string& text);
  // While there is a tap, it is told instead of the callbacks.
  void set_tap(std::function<void(const levin_event&)> tap) { tap_ = std::move(tap); }
  // Told of every call before it is made and after it has returned: an instance's name, "model" or "data", and the
  // hook, step or override as an origin of log calls.
  using Trace = std::function<void(const std::string& who, uint32_t origin, bool entering)>;
  void set_trace(Trace trace) { trace_ = std::move(trace); }

  // Which hook or step runs now: the origin of log calls (logging/log_rules.hpp).
  uint32_t origin() const { return origin_; }
  class OriginScope {
   public:
    OriginScope(Dispatcher& d, uint32_t origin) : d_(d), before_(d.origin_) {
      d.origin_ = origin;
      if (d.trace_ && origin >= LEVIN_HOOK_COUNT) d.trace_("model", origin, true);  // a step or an override
    }
    ~OriginScope() {
      if (d_.trace_ && d_.origin_ >= LEVIN_HOOK_COUNT) d_.trace_("model", d_.origin_, false);
      d_.origin_ = before_;
    }
    OriginScope(const OriginScope&) = delete;
    OriginScope& operator=(const OriginScope&) = delete;

   private:
    Dispatcher& d_;
    uint32_t before_;
  };

 private:
  levin_event make(uint32_t hook) const;
  levin_status send(const levin_event& event);
  levin_status to_callbacks(const levin_event& event, const std::vector<Callback*>& list);
  levin_status to_model(const levin_event& event);
  void note(levin_status status, const std::string& who);
  template <class Call>
  levin_status traced(const std::string& who, uint32_t hook, Call&& call) {
    if (!trace_) return call();
    trace_(who, hook, true);
    const levin_status status = call();
    trace_(who, hook, false);
    return status;
  }

  Model& model_;
  DataModule* data_;
  std::vector<std::unique_ptr<Callback>> callbacks_;
  std::array<bool, LEVIN_HOOK_COUNT> wanted_{};
  std::array<std::vector<Callback*>, LEVIN_HOOK_COUNT> lists_;
  levin_run* run_ = nullptr;
  Position position_;
  uint32_t origin_ = 0;
  Trace trace_;
  std::function<void(const levin_event&)> tap_;
};

}  // namespace levin::core
