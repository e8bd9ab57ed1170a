// Sends events to callbacks, the model and the data module, in Lightning's order. The constructor looks up the hooks of
// each component, so that firing a hook without receivers only tests a flag.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/components/callback.hpp"
#include "core/components/data_module.hpp"
#include "core/components/model.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

class Dispatcher {
 public:
  // data: nullptr = no data module.
  Dispatcher(Model& model, DataModule* data, std::vector<std::unique_ptr<Callback>> callbacks);

  void set_run(levin_run* run) { run_ = run; }  // the run pointer of every event
  levin_run* run() const { return run_; }
  const std::vector<std::unique_ptr<Callback>>& callbacks() const { return callbacks_; }
  OriginTracker& origin() { return model_.origin(); }

  bool wants(uint32_t hook) const { return wanted_[hook]; }
  // Sends the hook's event. Epoch, step and batch come from `progress`; fill(levin_event&) adds the hook's own fields.
  // If a receiver returns LEVIN_STOP, sets progress.stop. Returns LEVIN_SKIP_EPOCH or LEVIN_SKIP if a receiver returned
  // it.
  template <class Fill>
  levin_status fire(uint32_t hook, RunProgress& progress, Fill&& fill) {
    if (!wanted_[hook] && !interceptor_) return LEVIN_OK;
    levin_event event = make(hook, progress);
    fill(event);
    return send(event, progress);
  }
  levin_status fire(uint32_t hook, RunProgress& progress) {
    return fire(hook, progress, [](levin_event&) {});
  }
  void model_only(uint32_t hook, RunProgress& progress);  // sends the event only to the model
  void data_only(uint32_t hook, RunProgress& progress);   // sends the event only to the data module
  // Sends on_load_checkpoint to the model, then to the callbacks. `epoch` and `global_step` are the checkpoint's.
  void load_checkpoint(RunProgress& progress, const levin_reader& reader, const std::string& path, int64_t epoch,
                       int64_t global_step);
  // Sends on_train_epoch_end to the callbacks that do not monitor a metric, then to the model, then to the callbacks
  // that monitor one, so that they see the metrics that the others log.
  void train_epoch_end(
      RunProgress& progress, const std::function<void()>& before_monitors = [] {});
  // Sends on_exception or teardown to every receiver, even if an earlier one fails. `text` is the event's text. Returns
  // the text of the first error, or "".
  std::string fire_to_all(uint32_t hook, RunProgress& progress, const std::string& text);
  // Sets an interceptor, which gets the events instead of the callbacks. nullptr removes it.
  void intercept_callbacks(std::function<void(const levin_event&)> interceptor) {
    interceptor_ = std::move(interceptor);
  }

 private:
  levin_event make(uint32_t hook, const RunProgress& progress) const;
  levin_status send(const levin_event& event, RunProgress& progress);
  levin_status to_callbacks(const levin_event& event, const std::vector<Callback*>& list, RunProgress& progress);
  levin_status to_model(const levin_event& event, RunProgress& progress);
  template <class Call>
  levin_status traced(const std::string& who, uint32_t hook, Call&& call);

  Model& model_;
  DataModule* data_;
  std::vector<std::unique_ptr<Callback>> callbacks_;
  std::array<bool, LEVIN_HOOK_COUNT> wanted_{};
  std::array<std::vector<Callback*>, LEVIN_HOOK_COUNT> lists_;
  levin_run* run_ = nullptr;
  std::function<void(const levin_event&)> interceptor_;
};

}  // namespace levin::core
