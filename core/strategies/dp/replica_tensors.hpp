// Operations on parameters, buffers, gradients and saved state of model instances.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

// Throws Error{usage} that names the first parameter or buffer that differs in name, shape or type. who: names the
// replica.
void check_replica(const Model& first, const Model& replica, const std::string& who);

// Copies parameters, their requires_grad, buffers, training mode and custom saved state of the first instance to
// replicas 1 to n - 1.
void copy_to_replicas(const std::vector<Model*>& models, size_t n);

// Adds the gradients of the replica to those of the first instance, and clears them in the replica.
void add_gradients(const Model& first, const Model& replica);

}  // namespace levin::core
