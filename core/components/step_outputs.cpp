#include "core/components/step_outputs.hpp"

#include <iterator>
#include <utility>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {

void StepOutputs::clear() {
  loss.reset();
  named.clear();
  hiddens.clear();
}

void StepOutputs::detach() {
  if (loss.defined()) loss = loss.detach();
  for (NamedTensor& t : named)
    if (t.tensor.requires_grad()) t.tensor = t.tensor.detach();
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

void StepOutputs::show(levin_event& event) {
  const auto& outputs = view();
  event.outputs = outputs.data();
  event.n_outputs = outputs.size();
  event.output_size = sizeof(levin_named);
  event.loss = outputs.empty() ? nullptr : outputs.front().tensor;
}

}  // namespace levin::core
