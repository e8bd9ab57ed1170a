// Calls the functions of a model's table, most of which are optional. No other code reads the table. Each method calls
// one function. A method that calls an optional function returns false if the model does not have it: the host then
// does the default.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/component.hpp"
#include "core/components/log_origin.hpp"
#include "core/components/step_outputs.hpp"

namespace levin::core {

class ModelOverrides {
 public:
  // model: the owner of the table; must outlive this object. Throws Error{plugin} if a required function is missing.
  ModelOverrides(const Component& model, const levin_object* table, OriginTracker& origin);

  void visit(const levin_visitor& visitor) const;                       // a required function
  void step(const levin_step_in& in, const levin_step_out& out) const;  // a required function
  levin_status on(const levin_event& event) const;                      // only for hooks that the model declares
  bool mode(bool training) const;
  bool has_forward() const;
  void forward(const std::vector<at::Tensor>& inputs, levin_run* run, const levin_step_out& out) const;
  bool move(levin_device device, levin_dtype dtype) const;
  bool data_module(void** data, const levin_data** table) const;

  // Bit LEVIN_STAGE_* is set if the model has that step, its step_end, or its epoch_end.
  uint32_t steps() const { return steps_; }
  uint32_t step_ends() const { return model_1x_ && model_1x_->step_end ? model_1x_->ends & 0xffu : 0; }
  uint32_t epoch_ends() const { return model_1x_ && model_1x_->epoch_end ? model_1x_->ends >> 8 & 0xffu : 0; }
  void step_end(const levin_step_in& in, const levin_outputs& outputs, const levin_step_out& out) const;
  void epoch_end(const levin_epoch_outputs& outputs) const;

  // Optimization.
  bool has_configure_optimizers() const;
  bool has_optimizer_step() const;
  bool has_backward() const;
  bool configure_optimizers(const levin_optim_plan& plan) const;
  bool optimizer_step(const levin_optim_call& call) const;
  bool optimizer_zero_grad(const levin_optim_call& call) const;
  bool backward(const levin_optim_call& call) const;
  bool configure_gradient_clipping(const levin_optim_call& call) const;
  bool lr_scheduler_step(const levin_optim_call& call) const;

  // The batch transfer hooks. They change `tensors` where the model returns a replacement.
  bool has_batch_transfer() const;  // true if the model has any of the following three
  bool on_before_batch_transfer(const levin_batch& batch, std::vector<at::Tensor>& tensors) const;
  bool transfer_batch_to_device(const levin_batch& batch, at::Device device, std::vector<at::Tensor>& tensors) const;
  bool on_after_batch_transfer(const levin_batch& batch, std::vector<at::Tensor>& tensors) const;
  // Splits the batch along the time dimension into `splits`; each split has all fields of the batch.
  bool tbptt_split_batch(const levin_batch& batch, int64_t split_size,
                         std::vector<std::vector<at::Tensor>>& splits) const;

 private:
  template <class F, class... Args>
  bool call(const char* name, F function, Args... args) const;
  template <class F, class... Args>
  bool call_as(LogOrigin origin, const char* name, F function, Args... args) const;

  const Component& model_;
  const levin_model* table_;
  OriginTracker& origin_;
  const levin_model_1x* model_1x_;  // nullptr = the model has nothing of Lightning 1.x
  uint32_t steps_ = 0;
};

// "training_step", "validation_step", "test_step" or "predict_step" for a LEVIN_STAGE_*.
const char* step_name(uint32_t stage);
LogOrigin step_origin(uint32_t stage);
// Returns the arguments of a step, without a batch.
levin_step_in make_step_in(uint32_t stage, levin_run* run);
levin_step_1x make_step_1x();  // the arguments for a batch that one optimizer takes whole

}  // namespace levin::core
