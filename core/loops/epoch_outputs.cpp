#include "core/loops/epoch_outputs.hpp"

#include "core/abi/tensor_handle.hpp"

namespace levin::core {

void EpochOutputs::begin(const Model& model, uint32_t stage) {
  steps_.clear();
  go_on(model, stage);
}

void EpochOutputs::go_on(const Model& model, uint32_t stage) {
  stage_ = stage;
  kept_ = model.has_epoch_end(stage);
}

void EpochOutputs::add(const StepOutputs& step) {
  if (!kept_ || step.named.empty()) return;
  steps_.emplace_back();
  for (const NamedTensor& t : step.named) steps_.back().push_back({t.name, t.tensor.detach()});
}

void EpochOutputs::deliver(const Model& model, levin_run* run) {
  if (!kept_) return;
  std::vector<std::vector<levin_named>> views;
  for (const auto& step : steps_) {
    views.emplace_back();
    for (const NamedTensor& t : step) views.back().push_back({t.name.c_str(), borrow(t.tensor)});
  }
  std::vector<levin_outputs> steps;
  for (const auto& v : views) steps.push_back({sizeof(levin_outputs), sizeof(levin_named), v.data(), v.size()});
  std::vector<const levin_outputs*> pointers;
  for (const levin_outputs& step : steps) pointers.push_back(&step);
  levin_epoch_outputs raw{};
  raw.size = sizeof raw;
  raw.stage = stage_;
  raw.run = run;
  raw.steps = pointers.data();
  raw.n_steps = pointers.size();
  model.overrides().epoch_end(raw);
  steps_.clear();
}

}  // namespace levin::core
