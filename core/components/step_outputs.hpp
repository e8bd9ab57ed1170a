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

// The outputs of each step of an epoch.
using EpochSteps = std::vector<std::vector<NamedTensor>>;

// Cleared before each step instead of created anew, so that its memory is reused.
struct StepOutputs {
  at::Tensor loss;                  // undefined if the step returned no loss
  std::vector<NamedTensor> named;   // in the order in which the step added them; includes the loss as "loss"
  std::vector<at::Tensor> hiddens;  // detached
  void clear();
  // Detaches the outputs, so that the autograd graph can be freed.
  void detach();
  // Moves the outputs of `step` to the end of `named`, and takes the loss of `step`.
  void append(StepOutputs& step);
  // Returns the outputs as ABI structs. They are valid until the next clear, append or step.
  const std::vector<levin_named>& view();
  // Sets the event's outputs, and its loss to the first output.
  void show(levin_event& event);

 private:
  std::vector<levin_named> view_;
};

}  // namespace levin::core
