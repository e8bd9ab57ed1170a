// A strategy may compute the steps of one model with several instances of it at the same time, each on a thread of its
// own. Services that a plugin calls on such a thread act on its instance.
#pragma once
#include <functional>
#include <mutex>

#include "core/components/model.hpp"

namespace levin::core {

struct ModelInstance {
  Model& model;
  at::Device device;
  std::recursive_mutex& turn;  // held during each service call, as the other instances may call services too
  // Takes the calls of log() during a step. Empty = they go to the run.
  std::function<void(LogOrigin origin, const levin_log& log)> log = nullptr;
  // Why services that act on the whole run are refused. nullptr = this instance speaks for the run.
  const char* refusal = nullptr;
};

inline thread_local const ModelInstance* model_instance = nullptr;  // of this thread; nullptr = the run's model

inline Model& instance_of(Model& model) { return model_instance ? model_instance->model : model; }
inline const Model& instance_of(const Model& model) { return model_instance ? model_instance->model : model; }
inline at::Device device_of_instance(at::Device device) { return model_instance ? model_instance->device : device; }
// Returns false if calls that act once for the whole run do nothing on this thread.
inline bool speaks_for_run() { return !model_instance || !model_instance->refusal; }

}  // namespace levin::core
