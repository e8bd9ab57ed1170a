// What a step of the model returned.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "sdk/include/levin/abi.h"

namespace levin::core {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

// Cleared between steps, so that its memory is used again.
struct StepOutputs {
  at::Tensor loss;                  // undefined where the step returned nothing
  std::vector<NamedTensor> named;   // in the order in which the step put them; the loss is "loss"
  std::vector<at::Tensor> hiddens;  // detached
  void clear();
  // Moves what `step` returned behind what is here already. The loss becomes that of `step`.
  void append(StepOutputs& step);
  // The form for plugins; valid until the next clear, append or step.
  const std::vector<levin_named>& view();
  // Puts the outputs, and the first of them as the loss, into an event.
  void show(levin_event& event);

 private:
  std::vector<levin_named> view_;
};

}  // namespace levin::core
