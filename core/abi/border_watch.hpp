// The interface through which --debug-plugins and `host check` inspect every tensor handle and every value that passes
// between the host and a plugin. Without these two no watch is installed, and each call only tests a pointer.
#pragma once
#include <ATen/core/Tensor.h>

#include <atomic>
#include <string>

#include "core/abi/breadcrumb.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// Called on any thread. A violation throws Error{plugin}, which names the plugin and its call. returned() throws it
// again, because a plugin may ignore the status of the service call that failed.
class BorderWatch {
 public:
  virtual ~BorderWatch() = default;

  virtual void lent(levin_tensor* handle) = 0;         // the plugin may use the tensor during the call
  virtual void handed_over(levin_tensor* handle) = 0;  // the plugin gets a reference, which it has to release
  virtual void used(levin_tensor* handle) = 0;         // the plugin passes the tensor to the host
  virtual void handed_back(levin_tensor* handle) = 0;  // the plugin gives up a reference

  // Throws if this is not a training thread. `service` is the service that only training threads may call.
  virtual void on_training_thread(const char* service) = 0;
  // Throws if the tensor has a value that is not finite. `who`: the plugin and its call; `what`: the tensor's
  // description for the message; `rows`: the index in the data set of each row of the tensor, or nullptr.
  virtual void value(const Breadcrumb& who, const std::string& what, const at::Tensor& tensor, const int64_t* rows) = 0;
  // Throws if a parameter of the model has a value that is not finite. `what` names the action that has changed the
  // parameters.
  virtual void parameters_changed(const std::string& what) = 0;
  // Called when a call into a plugin has returned, while its breadcrumb is still set.
  virtual void returned() = 0;
  // Called for a plugin that uses only the C ABI, so that all its handles come from the host.
  virtual void portable(const std::string& plugin) = 0;
};

// True on a further thread that computes steps of the model. It counts as a training thread too.
inline thread_local bool is_training_thread = false;

// The watch must outlive every call that begins while it is installed.
inline std::atomic<BorderWatch*> installed_watch{nullptr};
inline BorderWatch* border_watch() { return installed_watch.load(std::memory_order_relaxed); }

}  // namespace levin::core
