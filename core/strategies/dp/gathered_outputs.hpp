// What a step of the whole batch would have returned, put together from the parts.
#pragma once
#include <cstdint>
#include <vector>

#include "core/components/step_outputs.hpp"

namespace levin::core {

// One StepOutputs a part, in their order, with the rows of each. Tensors with a first dimension are put behind each
// other; single numbers become their mean, weighted by rows, and whole numbers their sum. So gradients of the loss are
// those of the whole batch. A part whose step returned nothing counts for nothing. Hidden states are left out. Throws
// Error{run} that names the output where parts do not fit together.
StepOutputs gather_outputs(const std::vector<StepOutputs>& parts, const std::vector<int64_t>& rows, at::Device device);

}  // namespace levin::core
