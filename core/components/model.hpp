// A model as the host sees it: names, handles and steps.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/components/component.hpp"

namespace levin::core {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

// What a step returned. Cleared, not freed, between steps.
struct StepOutputs {
  at::Tensor loss;                  // undefined: the step returned nothing
  std::vector<NamedTensor> named;   // in order; the loss is "loss"
  std::vector<at::Tensor> hiddens;  // detached
  void clear();
  // Takes what `step` returned, after what is here already.
  void append(StepOutputs& step);
  // For events; valid until the next clear or step.
  const std::vector<levin_named>& view();

 private:
  std::vector<levin_named> view_;
};

class Model : public Component {
 public:
  Model(ComponentOrigin origin, const levin_object* table, void* self);

  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }
  void visit();  // reads parameters and buffers again, after configure_model or a move

  void mode(bool training) const;
  void move(at::Device device, at::ScalarType dtype);
  void step(const levin_step_in& in, StepOutputs& out) const;
  bool has_step(uint32_t stage) const { return (steps_ & (1u << stage)) != 0; }
  // The hook training_epoch_end and its like.
  bool has_epoch_end(uint32_t stage) const { return (ends_ & (256u << stage)) != 0; }
  void epoch_end(const levin_epoch_outputs& outputs) const;
  bool looks_at_optimizer_idx() const { return (flags() & LEVIN_F_OPTIMIZER_IDX) != 0; }
  bool manual_optimization() const { return (flags() & LEVIN_F_MANUAL) != 0; }

  bool wants(uint32_t hook) const { return (schema().hooks[hook / 64] & LEVIN_BIT(hook)) != 0; }
  levin_status on(const levin_event& event) const {
    return invoke(hook_name(event.hook), [&] { return table_->on(self(), &event); });
  }
  const levin_model& table() const { return *table_; }
  const levin_modules* modules();

 private:
  const levin_model* table_;
  void step_end(const levin_step_in& in, StepOutputs& out) const;

  uint32_t steps_ = 0, ends_ = 0;
  std::vector<NamedTensor> parameters_, buffers_;
};

}  // namespace levin::core
