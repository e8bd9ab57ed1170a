// That all processes train the same model.
#pragma once
#include "core/components/model.hpp"
#include "core/distributed/process_group.hpp"

namespace levin::core {

// Throws Error{usage} that names the rank and the first parameter or buffer that differs in name, shape, type or number
// from those of the first process. Collective.
void check_same_model(const Model& model, ProcessGroup& group);

// The tensors of one process, on all of them. Collective; one message for all tensors of a type.
void broadcast_tensors(const std::vector<NamedTensor>& tensors, ProcessGroup& group, int root = 0);

}  // namespace levin::core
