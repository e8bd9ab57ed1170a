// Parameters, buffers and gradients of the instances of one model.
#pragma once
#include <string>

#include "core/components/model.hpp"

namespace levin::core {

// Throws Error{usage} that names the first parameter or buffer that differs in name, shape or type. `who`: the replica.
void check_replica(const Model& first, const Model& replica, const std::string& who);

// The replica gets the first one's parameters, which of them require gradients, its buffers, and its mode.
void copy_to_replica(const Model& first, Model& replica);

// Adds the gradients of the replica to those of the first one, and takes them away there.
void add_gradients(const Model& first, const Model& replica);

}  // namespace levin::core
