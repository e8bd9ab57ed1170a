// The numeric precision of a run: the data types of the model and the inputs, autocast, and loss scaling.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

class Precision {
 public:
  virtual ~Precision() = default;
  virtual at::ScalarType dtype() const { return at::kFloat; }  // data type of the model's floating-point tensors
  // Returns the data type to which floating-point inputs are converted, or Undefined = no conversion.
  virtual at::ScalarType input_dtype() const { return at::ScalarType::Undefined; }
  // Runs a step of the model, with autocast if the precision is mixed.
  virtual void forward(const std::function<void()>& step) { step(); }
  virtual at::Tensor scale(const at::Tensor& loss) { return loss; }
  // Undoes scale() on the gradients, before they are clipped. Returns false if they are not finite: the optimizer step
  // then has to be skipped.
  virtual bool unscale(const std::vector<at::Tensor>&) { return true; }
  // Returns true if non-finite gradients are expected while the loss scale is being adjusted.
  virtual bool may_overflow() const { return false; }
  virtual void stepped() {}  // called after each optimizer step, even if it was skipped
  virtual nlohmann::json state_dict() const { return nlohmann::json::object(); }
  virtual void load_state_dict(const nlohmann::json&) {}
  virtual bool is_full_precision() const { return true; }  // without autocast and loss scaling
  // Returns advice on an error with this text, or "" if the precision is not the reason for the error.
  virtual std::string advice(const std::string&) const { return ""; }
};

// Returns the precision used on the device: 16-mixed becomes bf16-mixed on a CPU, because the range of bf16 needs no
// loss scaling.
PrecisionType precision_on(PrecisionType type, at::Device device);

std::unique_ptr<Precision> make_precision(PrecisionType type, at::Device device);

}  // namespace levin::core
