#include "core/components/model.hpp"

#include <cstring>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/components/failure.hpp"
#include "core/components/tensor_handle.hpp"

namespace levin::core {
namespace {

const char* step_name(uint32_t stage) {
  switch (stage) {
    case LEVIN_STAGE_FIT:
      return "training_step";
    case LEVIN_STAGE_TEST:
      return "test_step";
    case LEVIN_STAGE_PREDICT:
      return "predict_step";
    default:
      return "validation_step";
  }
}

levin_status put(const levin_step_out* out, const char* name, levin_tensor* tensor) {
  return serve([&]() -> levin_status {
    if (!tensor) return failed_service(std::string("the step put no tensor for '") + name + "'", LEVIN_E_INVALID);
    auto& outputs = *static_cast<StepOutputs*>(out->ctx);
    outputs.named.push_back({name, retain(tensor)});
    if (std::strcmp(name, "loss") == 0) outputs.loss = outputs.named.back().tensor;
    return LEVIN_OK;
  });
}

levin_status put_hidden(const levin_step_out* out, levin_tensor* tensor) {
  return serve([&] { static_cast<StepOutputs*>(out->ctx)->hiddens.push_back(retain(tensor).detach()); });
}

}  // namespace

void StepOutputs::clear() {
  loss.reset();
  named.clear();
  hiddens.clear();
}

void StepOutputs::append(StepOutputs& step) {
  loss = std::move(step.loss);
  if (named.empty()) {
    std::swap(named, step.named);
  } else {
    std::move(step.named.begin(), step.named.end(), std::back_inserter(named));
    step.named.clear();
  }
}

const std::vector<levin_named>& StepOutputs::view() {
  view_.clear();
  for (const NamedTensor& t : named) view_.push_back({t.name.c_str(), borrow(t.tensor)});
  return view_;
}

Model::Model(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_model*>(table)) {
  if (!LEVIN_HAS(levin_model, table_, visit) || !LEVIN_HAS(levin_model, table_, step))
    throw Error(ErrorKind::plugin, plugin() + ": model '" + schema().id + "' lacks the functions 'visit' or 'step'");
  if (LEVIN_HAS(levin_model, table_, steps)) steps_ = table_->steps(self);
  if (steps_ == 0) steps_ = ~0u;
  if (has_step(LEVIN_STAGE_VALIDATE)) steps_ |= 1u << LEVIN_STAGE_SANITY;
  if (LEVIN_HAS(levin_model, table_, step_end)) ends_ |= 0xffu;
  if (LEVIN_HAS(levin_model, table_, epoch_end)) ends_ |= 0xff00u;
  if (ends_ != 0 && LEVIN_HAS(levin_model, table_, ends)) ends_ &= table_->ends(self);
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
  invoke("visit", [&] { return table_->visit(self(), &visitor); });
}

void Model::mode(bool training) const {
  if (LEVIN_HAS(levin_model, table_, mode)) invoke("mode", [&] { return table_->mode(self(), training); });
}

void Model::move(at::Device device, at::ScalarType dtype) {
  if (LEVIN_HAS(levin_model, table_, move)) {
    invoke("move", [&] { return table_->move(self(), device_of(device), dtype_of(dtype)); });
  } else {
    at::NoGradGuard no_grad;
    for (auto* tensors : {&parameters_, &buffers_})
      for (NamedTensor& t : *tensors)
        t.tensor.set_data(t.tensor.to(device, t.tensor.is_floating_point() ? dtype : t.tensor.scalar_type()));
  }
  visit();
}

void Model::step(const levin_step_in& in, StepOutputs& out) const {
  levin_step_out raw{};
  raw.size = sizeof raw;
  raw.ctx = &out;
  raw.put = &put;
  raw.put_hidden = &put_hidden;
  out.clear();
  invoke(step_name(in.stage), [&] { return table_->step(self(), &in, &raw); });
  if (ends_ & (1u << in.stage)) step_end(in, out);
}

// A step's end that returns nothing leaves what the step returned.
void Model::step_end(const levin_step_in& in, StepOutputs& out) const {
  StepOutputs changed;
  levin_step_out raw{};
  raw.size = sizeof raw;
  raw.ctx = &changed;
  raw.put = &put;
  raw.put_hidden = &put_hidden;
  const auto& view = out.view();
  invoke("step_end", [&] { return table_->step_end(self(), &in, view.data(), view.size(), &raw); });
  if (changed.named.empty()) return;
  if (!changed.hiddens.empty()) out.hiddens = std::move(changed.hiddens);
  out.loss = changed.loss;
  out.named = std::move(changed.named);
}

void Model::epoch_end(const levin_epoch_outputs& outputs) const {
  if (!LEVIN_HAS(levin_model, table_, epoch_end)) return;
  invoke("epoch_end", [&] { return table_->epoch_end(self(), &outputs); });
}

const levin_modules* Model::modules() { return static_cast<const levin_modules*>(extension("levin.modules/1")); }

}  // namespace levin::core
