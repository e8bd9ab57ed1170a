// Checks that all processes train the same model, and broadcasts tensors.
#pragma once
#include "core/components/model.hpp"
#include "core/distributed/process_group.hpp"

namespace levin::core {

// Throws Error{usage} that names the rank and the first parameter or buffer that differs from rank 0's in name, shape,
// type or number. Collective.
void check_same_model(const Model& model, ProcessGroup& group);

// Broadcasts tensors from the root to all processes. Collective; one broadcast for all tensors of a type and device.
void broadcast_tensors(const std::vector<NamedTensor>& tensors, ProcessGroup& group, int root = 0);

}  // namespace levin::core
