// The outputs of one step of the model.
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

// What each step of an epoch returned.
using EpochSteps = std::vector<std::vector<NamedTensor>>;

// It is cleared instead of being made anew for each step, so that its memory is reused.
struct StepOutputs {
  at::Tensor loss;                  // undefined if the step returned no loss
  std::vector<NamedTensor> named;   // in the order in which the step put them; includes the loss as "loss"
  std::vector<at::Tensor> hiddens;  // detached
  void clear();
  // Lets go of the graph of backward, which would live as long as the outputs.
  void detach();
  // Moves the outputs of `step` to the end of `named`. The loss becomes that of `step`.
  void append(StepOutputs& step);
  // The outputs in the form of the ABI; valid until the next clear, append or step.
  const std::vector<levin_named>& view();
  // Sets the event's outputs, and its loss to the first output.
  void show(levin_event& event);

 private:
  std::vector<levin_named> view_;
};

}  // namespace levin::core
