// What --debug-plugins and host check look at: every tensor handle and every value that crosses the border between the
// host and a plugin. Without them there is no watch, and the border only tests a pointer.
#pragma once
#include <ATen/core/Tensor.h>

#include <atomic>
#include <string>

#include "core/abi/breadcrumb.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// Called on any thread. What a plugin does wrong is an Error{plugin} that names it and its call. It is thrown at once,
// and again by returned(), because a plugin may not look at the status of the call that it made.
class BorderWatch {
 public:
  virtual ~BorderWatch() = default;

  virtual void lent(levin_tensor* handle) = 0;         // the plugin may use it during the call
  virtual void handed_over(levin_tensor* handle) = 0;  // with a reference, which the plugin has to release
  virtual void used(levin_tensor* handle) = 0;         // the plugin passes it to the host
  virtual void handed_back(levin_tensor* handle) = 0;  // the plugin gives up a reference

  // Throws if this is not the thread that trains. `service`: what only that thread may call.
  virtual void on_training_thread(const char* service) = 0;
  // Throws if the tensor has a value that is not finite. `who`: the plugin and its call; `what`: for people; `rows`:
  // which row of the data each row of the tensor is, or nullptr.
  virtual void value(const Breadcrumb& who, const std::string& what, const at::Tensor& tensor, const int64_t* rows) = 0;
  // Throws if a parameter of the model has a value that is not finite. `what`: what has just changed them.
  virtual void parameters_changed(const std::string& what) = 0;
  // A call into a plugin has returned; its breadcrumb is still set.
  virtual void returned() = 0;
  // The plugin uses nothing but the ABI, so all its handles come from the host.
  virtual void portable(const std::string& plugin) = 0;
};

// Whether this thread trains beside the one that the watch knows: a replica of the model computes on it.
inline thread_local bool is_training_thread = false;

// It must outlive every call that begins while it is set.
inline std::atomic<BorderWatch*> installed_watch{nullptr};
inline BorderWatch* border_watch() { return installed_watch.load(std::memory_order_relaxed); }

}  // namespace levin::core
