// Hides the differences between LibTorch 1.13, 2.6 and the current release. No other file tests LibTorch's version.
#pragma once
#include <ATen/autocast_mode.h>
#include <c10/core/Event.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <ATen/ops/_foreach_mul.h>
#if TORCH_VERSION_MAJOR >= 2
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#endif

#include <ATen/Context.h>

#include <optional>
#include <string>
#include <thread>

namespace levin::core {

// Returns this thread's autocast dtype for the device type.
inline at::ScalarType autocast_dtype(at::DeviceType device) {
#if TORCH_VERSION_MAJOR >= 2
  return at::autocast::get_autocast_dtype(device);
#else
  return device == at::kCUDA ? at::autocast::get_autocast_gpu_dtype() : at::autocast::get_autocast_cpu_dtype();
#endif
}

// Enables autocast for one device type and dtype on this thread for its lifetime.
class AutocastGuard {
 public:
  AutocastGuard(at::DeviceType device, at::ScalarType dtype) : device_(device) {
    was_on_ = enabled();
    was_dtype_ = autocast_dtype(device_);
    set(true, dtype);
    at::autocast::increment_nesting();
  }
  ~AutocastGuard() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    set(was_on_, was_dtype_);
  }
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
#if TORCH_VERSION_MAJOR >= 2
  bool enabled() const { return at::autocast::is_autocast_enabled(device_); }
  void set(bool on, at::ScalarType dtype) const {
    at::autocast::set_autocast_enabled(device_, on);
    at::autocast::set_autocast_dtype(device_, dtype);
  }
#else
  bool cuda() const { return device_ == at::kCUDA; }
  bool enabled() const { return cuda() ? at::autocast::is_enabled() : at::autocast::is_cpu_enabled(); }
  void set(bool on, at::ScalarType dtype) const {
    if (cuda()) {
      at::autocast::set_enabled(on);
      at::autocast::set_autocast_gpu_dtype(dtype);
    } else {
      at::autocast::set_cpu_enabled(on);
      at::autocast::set_autocast_cpu_dtype(dtype);
    }
  }
#endif
  at::DeviceType device_;
  bool was_on_;
  at::ScalarType was_dtype_;
};

// The base of an object that receives LibTorch's warnings on a thread.
class TorchWarningHandler : public c10::WarningHandler {
 private:
  virtual void warn(const std::string& text) = 0;
#if TORCH_VERSION_MAJOR >= 2
  void process(const c10::Warning& warning) final { warn(warning.msg()); }
#else
  void process(const c10::SourceLocation&, const std::string& text, const bool) final { warn(text); }
#endif
};

// Sets this thread's handler. nullptr = LibTorch's own, which writes to stderr.
inline void set_warning_handler(c10::WarningHandler* handler) {
#if TORCH_VERSION_MAJOR >= 2
  c10::WarningUtils::set_warning_handler(handler);
#else
  c10::Warning::set_warning_handler(handler);
#endif
}

// Blocks until the device has reached the event.
inline void wait_for(const c10::Event& event) {
#if TORCH_VERSION_MAJOR >= 2
  event.synchronize();
#else
  while (!event.query()) std::this_thread::yield();
#endif
}

// Multiplies all tensors by a tensor of one element.
inline void multiply_all(at::TensorList tensors, const at::Tensor& factor) {
#if TORCH_VERSION_MAJOR >= 2
  at::_foreach_mul_(tensors, factor);
#else
  for (const at::Tensor& t : tensors) t.mul_(factor);
#endif
}

// LibTorch's operators that step all parameters of a device at once. Call them only if has_fused_optimizers is true.
// skip: a float on the device, may be undefined; where it is 1, nothing changes.
struct FusedAdamArgs {
  at::TensorList params, grads, means, squares, max_squares, steps;
  double lr, beta1, beta2, weight_decay, eps;
  bool amsgrad, maximize, decoupled;
};
struct FusedSgdArgs {
  at::TensorList params, grads, buffers;
  double weight_decay, momentum, lr, dampening;
  bool nesterov, maximize, is_first_step;
};
#if TORCH_VERSION_MAJOR >= 2
constexpr bool has_fused_optimizers = true;
inline void fused_adam(const FusedAdamArgs& a, const at::Tensor& skip) {
  const std::optional<at::Tensor> found = skip.defined() ? std::optional<at::Tensor>(skip) : std::nullopt;
  const auto step = [&](auto operation) {
    operation(a.params, a.grads, a.means, a.squares, a.max_squares, a.steps, a.lr, a.beta1, a.beta2, a.weight_decay,
              a.eps, a.amsgrad, a.maximize, std::optional<at::Tensor>(), found);
  };
  if (a.decoupled)
    step([](auto&&... args) { at::_fused_adamw_(args...); });
  else
    step([](auto&&... args) { at::_fused_adam_(args...); });
}
inline void fused_sgd(const FusedSgdArgs& a, const at::Tensor& skip) {
  const std::optional<at::Tensor> found = skip.defined() ? std::optional<at::Tensor>(skip) : std::nullopt;
  at::_fused_sgd_(a.params, a.grads, a.buffers, a.weight_decay, a.momentum, a.lr, a.dampening, a.nesterov, a.maximize,
                  a.is_first_step, std::optional<at::Tensor>(), found);
}
#else
constexpr bool has_fused_optimizers = false;
inline void fused_adam(const FusedAdamArgs&, const at::Tensor&) {}
inline void fused_sgd(const FusedSgdArgs&, const at::Tensor&) {}
#endif

inline void set_deterministic(bool on, bool warn_only) {
  at::globalContext().setDeterministicAlgorithms(on, warn_only);
#if TORCH_VERSION_MAJOR >= 2
  at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
}

}  // namespace levin::core
