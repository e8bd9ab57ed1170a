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
  std::vector<const levin_named*> outputs;
  std::vector<uint64_t> counts;
  for (const auto& v : views) outputs.push_back(v.data()), counts.push_back(v.size());
  levin_epoch_outputs raw{};
  raw.size = sizeof raw;
  raw.stage = stage_;
  raw.run = run;
  raw.outputs = outputs.data();
  raw.n_outputs = counts.data();
  raw.n = outputs.size();
  model.overrides().epoch_end(raw);
  steps_.clear();
}

}  // namespace levin::core
