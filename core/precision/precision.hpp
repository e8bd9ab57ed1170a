// How numbers are kept and computed: element types of the model and the data, autocast, and loss scaling.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/choices.hpp"

namespace levin::core {

class Precision {
 public:
  virtual ~Precision() = default;
  virtual at::ScalarType dtype() const { return at::kFloat; }  // of the model's floating-point tensors
  // Floating-point inputs of that type are converted; Undefined: left as they are.
  virtual at::ScalarType input_dtype() const { return at::ScalarType::Undefined; }
  // Runs a step under the precision's rules.
  virtual void forward(const std::function<void()>& step) { step(); }
  virtual at::Tensor scale(const at::Tensor& loss) { return loss; }
  // Before clipping. False: the gradients are not finite and the optimizer's step is to be left out.
  virtual bool unscale(const std::vector<at::Tensor>&) { return true; }
  virtual void stepped() {}
  virtual nlohmann::json state_dict() const { return nlohmann::json::object(); }
  virtual void load_state_dict(const nlohmann::json&) {}
  virtual bool plain() const { return true; }  // forward and scale do nothing
  // What to do about an error of this text, where the precision is its reason; "": it is not.
  virtual std::string advice(const std::string&) const { return ""; }
};

// What is computed on the device: 16-mixed is bf16-mixed on a CPU, whose range needs no loss scale.
PrecisionType precision_on(PrecisionType type, at::Device device);

std::unique_ptr<Precision> make_precision(PrecisionType type, at::Device device);

}  // namespace levin::core
