// Parameters, buffers, gradients and saved state of the instances of one model.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

// Throws Error{usage} that names the first parameter or buffer that differs in name, shape or type. `who`: the replica.
void check_replica(const Model& first, const Model& replica, const std::string& who);

// Replicas 1 to n - 1 get the first one's parameters, which of them require gradients, its buffers, its mode, and what
// it saves beside them.
void copy_to_replicas(const std::vector<Model*>& models, size_t n);

// Adds the gradients of the replica to those of the first one, and takes them away there.
void add_gradients(const Model& first, const Model& replica);

}  // namespace levin::core
