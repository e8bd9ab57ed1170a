// Initializes a model with the weights of a file that any program may have written.
#pragma once
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/host_options.hpp"

namespace levin::core {

// Returns true if the file contains only weights, from PyTorch, Lightning or an index of safetensors. Such a file can
// be evaluated, but a fit cannot resume from it.
bool is_weights_file(const std::string& path);

// Copies the file's tensors into `tensors`, converted to their types. Returns a text that says what matched. way_on:
// end of the message if a strict match fails. Throws as init_weights() does.
std::string init_tensors(const std::vector<NamedTensor>& tensors, const std::string& what, const InitWeights& init,
                         const std::string& way_on);

// Copies the file's tensors into the model's parameters and buffers, converted to their types, and prints that. Throws
// Error{checkpoint} if nothing fits, or if a required tensor does not. Its message says what does not fit, and which
// options would help. Nothing is copied then. option: the option that named the file, for messages.
void init_weights(Model& model, const std::string& option, const InitWeights& init, Console& console);

}  // namespace levin::core
