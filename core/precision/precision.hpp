// How numbers are stored and computed: the element types of the model and the data, autocast, and loss scaling.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/cpu_flags.hpp"
#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

class Precision {
 public:
  virtual ~Precision() = default;
  virtual at::ScalarType dtype() const { return at::kFloat; }  // of the model's floating-point tensors
  // The type that floating-point inputs are converted to, or Undefined to leave them as they are.
  virtual at::ScalarType input_dtype() const { return at::ScalarType::Undefined; }
  // Runs a step of the model, under autocast if the precision is mixed.
  virtual void forward(const std::function<void()>& step) { step(); }
  virtual at::Tensor scale(const at::Tensor& loss) { return loss; }
  // Undoes scale() on the gradients, before they are clipped. Returns false if they are not finite, in which case the
  // optimizer's step has to be skipped.
  virtual bool unscale(const std::vector<at::Tensor>&) { return true; }
  // Whether gradients that are not finite are expected, because the loss scale is sought.
  virtual bool may_overflow() const { return false; }
  virtual void stepped() {}  // called after each optimizer step, also if it was skipped
  virtual nlohmann::json state_dict() const { return nlohmann::json::object(); }
  virtual void load_state_dict(const nlohmann::json&) {}
  virtual bool is_full_precision() const { return true; }  // without autocast and loss scaling
  // What the user can do about an error with this text, or "" if the precision is not the reason for the error.
  virtual std::string advice(const std::string&) const { return ""; }
};

// What is computed on the device: 16-mixed is bf16-mixed on a CPU, because the range of bf16 needs no loss scale.
PrecisionType precision_on(PrecisionType type, at::Device device);

// What makes the precision slower than 32-true on a device and a processor with these instructions, as a warning; "" if
// nothing is known to.
std::string slower_than_32_true(PrecisionType type, at::Device device, const CpuFlags& flags);

std::unique_ptr<Precision> make_precision(PrecisionType type, at::Device device);

}  // namespace levin::core
