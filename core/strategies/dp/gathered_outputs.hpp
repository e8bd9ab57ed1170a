// Merges the outputs of the replicas into those of a step with the whole batch.
#pragma once
#include <cstdint>
#include <vector>

#include "core/components/step_outputs.hpp"

namespace levin::core {

// Merges one StepOutputs for each part, in order; rows: the number of rows of each part. Tensors with a first dimension
// are concatenated; floating-point scalars become their mean, weighted by rows; integer scalars are summed. The merged
// loss therefore has the gradients of the whole batch. A part whose step returned nothing is ignored. Hidden states are
// not merged. Throws Error{run} that names the output if the parts do not match.
StepOutputs gather_outputs(const std::vector<StepOutputs>& parts, const std::vector<int64_t>& rows, at::Device device);

}  // namespace levin::core
