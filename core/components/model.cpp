#include "core/components/model.hpp"

#include <ATen/core/grad_mode.h>

#include <cstring>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"

namespace levin::core {
namespace {

levin_status put(const levin_step_out* out, const char* name, levin_tensor* tensor) {
  return serve([&]() -> levin_status {
    if (!tensor) return failed_service(std::string("the step put no tensor for '") + name + "'", LEVIN_E_INVALID);
    auto& outputs = *static_cast<StepOutputs*>(out->ctx);
    outputs.named.push_back({name, retain(tensor)});
    if (std::strcmp(name, "loss") == 0) outputs.loss = outputs.named.back().tensor;
    return LEVIN_OK;
  });
}

levin_step_out raw_outputs(StepOutputs& out) {
  levin_step_out raw{};
  raw.size = sizeof raw;
  raw.ctx = &out;
  raw.put = &put;
  return raw;
}

// If step_end returns nothing, the outputs of the step stay unchanged.
void run_step_end(const ModelOverrides& overrides, const levin_step_in& in, StepOutputs& out) {
  StepOutputs changed;
  const std::vector<levin_named>& outputs = out.view();
  overrides.step_end(in, {sizeof(levin_outputs), sizeof(levin_named), outputs.data(), outputs.size()},
                     raw_outputs(changed));
  if (changed.named.empty()) return;
  if (!changed.hiddens.empty()) out.hiddens = std::move(changed.hiddens);
  out.loss = changed.loss;
  out.named = std::move(changed.named);
}

}  // namespace

Model::Model(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), overrides_(*this, table, origin_) {
  visit();
}

void Model::visit() {
  parameters_.clear();
  buffers_.clear();
  levin_visitor visitor{};
  visitor.size = sizeof visitor;
  visitor.ctx = this;
  visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t kind) {
    return serve([&] {
      auto& model = *static_cast<Model*>(v->ctx);
      (kind == LEVIN_BUFFER ? model.buffers_ : model.parameters_).push_back({name, retain(tensor)});
    });
  };
  overrides_.visit(visitor);
}

void Model::move(at::Device device, at::ScalarType dtype) {
  if (!overrides_.move(device_of(device), dtype_of(dtype))) {
    at::NoGradGuard no_grad;
    for (auto* tensors : {&parameters_, &buffers_})
      for (NamedTensor& t : *tensors) {
        const bool cast = t.tensor.is_floating_point() && dtype != at::kFloat;
        t.tensor.set_data(t.tensor.to(device, cast ? dtype : t.tensor.scalar_type()));
      }
  }
  visit();
}

void Model::cast(at::ScalarType dtype) {
  const at::NoGradGuard no_grad;
  for (auto* tensors : {&parameters_, &buffers_})
    for (NamedTensor& t : *tensors)
      if (t.tensor.is_floating_point() && dtype != at::kFloat) t.tensor.set_data(t.tensor.to(dtype));
  visit();
}

void Model::step(const levin_step_in& in, StepOutputs& out) {
  step_alone(in, out);
  end_step(in, out);
}

void Model::step_alone(const levin_step_in& in, StepOutputs& out) {
  const OriginTracker::Scope scope(origin_, step_origin(in.stage));
  out.clear();
  overrides_.step(in, raw_outputs(out));
  if (BorderWatch* watch = border_watch()) {
    const Breadcrumb here{plugin().c_str(), step_name(in.stage), instance().c_str()};
    for (const NamedTensor& t : out.named) watch->value(here, "'" + t.name + "' that it returned", t.tensor, nullptr);
  }
}

void Model::end_step(const levin_step_in& in, StepOutputs& out) {
  if (!(overrides_.step_ends() & (1u << in.stage))) return;
  const OriginTracker::Scope scope(origin_, step_origin(in.stage));
  run_step_end(overrides_, in, out);
}

void Model::mode(bool training) {
  overrides_.mode(training);
  training_ = training;
}

std::vector<at::Tensor> Model::forward(const std::vector<at::Tensor>& inputs, levin_run* run) {
  StepOutputs out;
  overrides_.forward(inputs, run, raw_outputs(out));
  std::vector<at::Tensor> tensors;
  for (NamedTensor& t : out.named) tensors.push_back(std::move(t.tensor));
  return tensors;
}

const levin_modules* Model::modules() { return static_cast<const levin_modules*>(extension("levin.modules/1")); }

}  // namespace levin::core
