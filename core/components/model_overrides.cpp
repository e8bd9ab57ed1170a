#include "core/components/model_overrides.hpp"

#include <utility>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"

namespace levin::core {
namespace {

struct StepName {
  const char* name;
  LogOrigin origin;
};
StepName step_of(uint32_t stage) {
  switch (stage) {
    case LEVIN_STAGE_FIT:
      return {"training_step", LogOrigin::training_step};
    case LEVIN_STAGE_TEST:
      return {"test_step", LogOrigin::test_step};
    case LEVIN_STAGE_PREDICT:
      return {"predict_step", LogOrigin::predict_step};
    default:
      return {"validation_step", LogOrigin::validation_step};
  }
}

// Replaces tensors by those that a transfer hook returned, and takes ownership of these. nullptr = unchanged.
void replace(std::vector<at::Tensor>& tensors, const std::vector<levin_tensor*>& by, const Component& model,
             const char* hook) {
  const BlameScope blame(model.plugin().c_str(), hook, model.instance().c_str());
  for (size_t i = 0; i < by.size(); ++i)
    if (by[i]) tensors[i] = own(by[i]);
}

}  // namespace

const char* step_name(uint32_t stage) { return step_of(stage).name; }
LogOrigin step_origin(uint32_t stage) { return step_of(stage).origin; }

levin_step_in make_step_in(uint32_t stage, levin_run* run) {
  levin_step_in in{};
  in.size = sizeof in;
  in.stage = stage;
  in.run = run;
  return in;
}

levin_step_1x make_step_1x() {
  levin_step_1x in{};
  in.size = sizeof in;
  in.optimizer_idx = in.split_idx = -1;
  in.put_hidden = [](const levin_step_out* out, levin_tensor* tensor) {
    return serve([&] { static_cast<StepOutputs*>(out->ctx)->hiddens.push_back(retain(tensor).detach()); });
  };
  return in;
}

// A function of the table, or nullptr if the plugin does not have it.
#define LEVIN_OPTIONAL(function) (LEVIN_HAS(levin_model, table_, function) ? table_->function : nullptr)

ModelOverrides::ModelOverrides(const Component& model, const levin_object* table, OriginTracker& origin)
    : model_(model),
      table_(reinterpret_cast<const levin_model*>(table)),
      origin_(origin),
      model_1x_(static_cast<const levin_model_1x*>(model.extension("levin.model_1x/1"))) {
  if (!LEVIN_OPTIONAL(visit) || !LEVIN_OPTIONAL(step))
    throw Error(ErrorCode::plugin_lacks_function,
                model.plugin() + ": model '" + model.schema().id + "' lacks the functions 'visit' or 'step'");
  if (model_1x_ && model_1x_->size < sizeof(levin_model_1x))
    throw Error(ErrorCode::plugin_table_invalid,
                model.plugin() + ": model '" + model.schema().id + "': levin_model_1x has the size " +
                    std::to_string(model_1x_->size) + ", not " + std::to_string(sizeof(levin_model_1x)) +
                    "; set it to sizeof(levin_model_1x)");
  void* self = model.self();
  if (LEVIN_OPTIONAL(steps)) steps_ = table_->steps(self);
  if (steps_ == 0) steps_ = ~0u;
  if (steps_ & (1u << LEVIN_STAGE_VALIDATE)) steps_ |= 1u << LEVIN_STAGE_SANITY;
}

template <class F, class... Args>
bool ModelOverrides::call(const char* name, F function, Args... args) const {
  if (!function) return false;
  model_.invoke(name, [&] { return function(model_.self(), args...); });
  return true;
}

template <class F, class... Args>
bool ModelOverrides::call_as(LogOrigin origin, const char* name, F function, Args... args) const {
  if (!function) return false;
  const OriginTracker::Scope scope(origin_, origin);
  return call(name, function, args...);
}

void ModelOverrides::visit(const levin_visitor& visitor) const { call("visit", table_->visit, &visitor); }

void ModelOverrides::step(const levin_step_in& in, const levin_step_out& out) const {
  call(step_name(in.stage), table_->step, &in, &out);
}

levin_status ModelOverrides::on(const levin_event& event) const {
  return model_.invoke(hook_name(event.hook), [&] { return table_->on(model_.self(), &event); });
}

bool ModelOverrides::mode(bool training) const { return call("mode", LEVIN_OPTIONAL(mode), uint32_t{training}); }

bool ModelOverrides::has_forward() const { return LEVIN_OPTIONAL(forward) != nullptr; }

void ModelOverrides::forward(const std::vector<at::Tensor>& inputs, levin_run* run, const levin_step_out& out) const {
  std::vector<levin_tensor*> handles;
  for (const at::Tensor& input : inputs) handles.push_back(borrow(input));
  call("forward", LEVIN_OPTIONAL(forward), run, static_cast<levin_tensor* const*>(handles.data()),
       static_cast<uint32_t>(handles.size()), &out);
}

bool ModelOverrides::move(levin_device device, levin_dtype dtype) const {
  return call("move", LEVIN_OPTIONAL(move), device, dtype);
}

bool ModelOverrides::data_module(void** data, const levin_data** table) const {
  return call("data_module", LEVIN_OPTIONAL(data_module), data, table);
}

void ModelOverrides::step_end(const levin_step_in& in, const levin_outputs& outputs, const levin_step_out& out) const {
  call("step_end", model_1x_->step_end, &in, &outputs, &out);
}

void ModelOverrides::epoch_end(const levin_epoch_outputs& outputs) const {
  call("epoch_end", model_1x_->epoch_end, &outputs);
}

bool ModelOverrides::has_configure_optimizers() const { return LEVIN_OPTIONAL(configure_optimizers) != nullptr; }
bool ModelOverrides::has_optimizer_step() const { return LEVIN_OPTIONAL(optimizer_step) != nullptr; }
bool ModelOverrides::has_backward() const { return LEVIN_OPTIONAL(backward) != nullptr; }

bool ModelOverrides::configure_optimizers(const levin_optim_plan& plan) const {
  return call("configure_optimizers", LEVIN_OPTIONAL(configure_optimizers), &plan);
}

bool ModelOverrides::optimizer_step(const levin_optim_call& arguments) const {
  return call_as(LogOrigin::optimizer_step, "optimizer_step", LEVIN_OPTIONAL(optimizer_step), &arguments);
}

bool ModelOverrides::optimizer_zero_grad(const levin_optim_call& arguments) const {
  return call_as(LogOrigin::optimizer_zero_grad, "optimizer_zero_grad", LEVIN_OPTIONAL(optimizer_zero_grad),
                 &arguments);
}

bool ModelOverrides::backward(const levin_optim_call& arguments) const {
  return call_as(LogOrigin::backward, "backward", LEVIN_OPTIONAL(backward), &arguments);
}

bool ModelOverrides::configure_gradient_clipping(const levin_optim_call& arguments) const {
  return call_as(LogOrigin::configure_gradient_clipping, "configure_gradient_clipping",
                 LEVIN_OPTIONAL(configure_gradient_clipping), &arguments);
}

bool ModelOverrides::lr_scheduler_step(const levin_optim_call& arguments) const {
  return call("lr_scheduler_step", LEVIN_OPTIONAL(lr_scheduler_step), &arguments);
}

bool ModelOverrides::has_batch_transfer() const {
  return LEVIN_OPTIONAL(on_before_batch_transfer) || LEVIN_OPTIONAL(transfer_batch_to_device) ||
         LEVIN_OPTIONAL(on_after_batch_transfer);
}

bool ModelOverrides::on_before_batch_transfer(const levin_batch& batch, std::vector<at::Tensor>& tensors) const {
  std::vector<levin_tensor*> out(tensors.size());
  const bool there = call("on_before_batch_transfer", LEVIN_OPTIONAL(on_before_batch_transfer), &batch, out.data(),
                          static_cast<uint32_t>(out.size()));
  replace(tensors, out, model_, "on_before_batch_transfer");
  return there;
}

bool ModelOverrides::transfer_batch_to_device(const levin_batch& batch, at::Device device,
                                              std::vector<at::Tensor>& tensors) const {
  std::vector<levin_tensor*> out(tensors.size());
  const bool there = call("transfer_batch_to_device", LEVIN_OPTIONAL(transfer_batch_to_device), &batch,
                          device_of(device), out.data(), static_cast<uint32_t>(out.size()));
  replace(tensors, out, model_, "transfer_batch_to_device");
  return there;
}

bool ModelOverrides::on_after_batch_transfer(const levin_batch& batch, std::vector<at::Tensor>& tensors) const {
  std::vector<levin_tensor*> out(tensors.size());
  const bool there = call("on_after_batch_transfer", LEVIN_OPTIONAL(on_after_batch_transfer), &batch, out.data(),
                          static_cast<uint32_t>(out.size()));
  replace(tensors, out, model_, "on_after_batch_transfer");
  return there;
}

bool ModelOverrides::tbptt_split_batch(const levin_batch& batch, int64_t split_size,
                                       std::vector<std::vector<at::Tensor>>& splits) const {
  levin_split_out out{};
  out.size = sizeof out;
  out.ctx = &splits;
  out.add = [](const levin_split_out* o, levin_tensor* const* tensors, uint32_t n) {
    return serve([&] {
      auto& all = *static_cast<std::vector<std::vector<at::Tensor>>*>(o->ctx);
      all.emplace_back();
      for (uint32_t i = 0; i < n; ++i) all.back().push_back(retain(tensors[i]));
    });
  };
  return call("tbptt_split_batch", model_1x_ ? model_1x_->tbptt_split_batch : nullptr, &batch, split_size,
              static_cast<const levin_split_out*>(&out));
}

#undef LEVIN_OPTIONAL

}  // namespace levin::core
