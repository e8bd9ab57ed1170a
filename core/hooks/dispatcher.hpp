// Sends events to callbacks, the model and the data module, in Lightning's order. Who wants which hook is known before
// the loop; a hook that nobody wants costs one load.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/adapt/callback.hpp"
#include "core/adapt/data_module.hpp"
#include "core/adapt/model.hpp"
#include "core/hooks/position.hpp"

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
  // Callbacks that do not monitor, the model, then those that do.
  void train_epoch_end();
  // Calls every receiver, whatever the ones before did; returns the first error's text. For exceptions and teardown.
  std::string fire_to_all(uint32_t hook, const std::string& text);
  // While there is a tap, it is told instead of the callbacks.
  void set_tap(std::function<void(const levin_event&)> tap) { tap_ = std::move(tap); }
  void set_trace(std::function<void(const std::string&)> trace) { trace_ = std::move(trace); }

  // Which hook or step runs now: the origin of log calls (logging/log_rules.hpp).
  uint32_t origin() const { return origin_; }
  class OriginScope {
   public:
    OriginScope(Dispatcher& d, uint32_t origin) : d_(d), before_(d.origin_) { d.origin_ = origin; }
    ~OriginScope() { d_.origin_ = before_; }
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
  void trace(const std::string& who, uint32_t hook) const;

  Model& model_;
  DataModule* data_;
  std::vector<std::unique_ptr<Callback>> callbacks_;
  std::array<bool, LEVIN_HOOK_COUNT> wanted_{};
  std::array<std::vector<Callback*>, LEVIN_HOOK_COUNT> lists_;
  levin_run* run_ = nullptr;
  Position position_;
  uint32_t origin_ = 0;
  std::function<void(const std::string&)> trace_;
  std::function<void(const levin_event&)> tap_;
};

}  // namespace levin::core
