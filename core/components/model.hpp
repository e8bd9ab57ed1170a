// A plugin's model: its parameters and buffers by name, its steps and its hooks.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/model_overrides.hpp"

namespace levin::core {

class Model : public Component {
 public:
  Model(ComponentOrigin origin, const levin_object* table, void* self);
  explicit Model(const Created& made) : Model(made.origin, made.table, made.self) {}
  virtual ~Model() = default;

  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }
  void visit();  // collects parameters and buffers again, for example after configure_model

  void mode(bool training);
  bool is_training() const { return training_; }
  void move(at::Device device, at::ScalarType dtype);
  // Runs the step of in.stage, then the model's step_end if it has one. Both run with that step as the log origin.
  void step(const levin_step_in& in, StepOutputs& out);
  // The two parts of step().
  void step_alone(const levin_step_in& in, StepOutputs& out);
  void end_step(const levin_step_in& in, StepOutputs& out);
  // Converts floating-point parameters and buffers in place.
  void cast(at::ScalarType dtype);
  // Runs the network on these inputs. Uses the current training mode and gradient mode.
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs, levin_run* run);
  bool has_step(uint32_t stage) const { return (overrides_.steps() & (1u << stage)) != 0; }
  // Returns true if the model has the stage's training_epoch_end, validation_epoch_end or test_epoch_end.
  bool has_epoch_end(uint32_t stage) const { return (overrides_.epoch_ends() & (1u << stage)) != 0; }
  bool looks_at_optimizer_idx() const { return (flags() & LEVIN_F_OPTIMIZER_IDX) != 0; }
  bool manual_optimization() const { return (flags() & LEVIN_F_MANUAL) != 0; }

  virtual levin_status on(const levin_event& event) const { return overrides_.on(event); }
  const ModelOverrides& overrides() const { return overrides_; }
  OriginTracker& origin() { return origin_; }  // the Dispatcher sets it for callbacks too
  const levin_modules* modules();              // nullptr if the model does not describe its modules

 private:
  OriginTracker origin_;
  ModelOverrides overrides_;
  std::vector<NamedTensor> parameters_, buffers_;
  bool training_ = true;
};

}  // namespace levin::core
