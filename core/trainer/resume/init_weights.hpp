// Gives a model the weights of a file that any program may have written.
#pragma once
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/weight_options.hpp"

namespace levin::core {

// Whether this is a file of weights without the rest of a checkpoint, which a fit cannot go on from, but which can be
// evaluated: one of PyTorch's or Lightning's, or an index of safetensors.
bool is_weights_file(const std::string& path);

// Copies the file's tensors into these, converted to their types, and returns what fitted, for people. way_on: ends the
// message where a strict match fails, because not everything fits. Throws as init_weights() does.
std::string init_tensors(const std::vector<NamedTensor>& tensors, const std::string& what, const InitWeights& init,
                         const std::string& way_on);

// Copies the file's tensors into the model's parameters and buffers, converted to their types, and says so. `option` is
// what named the file, for messages. Throws Error{checkpoint} if something does not fit that has to, or nothing does;
// the message says what, and which options would help. Nothing is copied then.
void init_weights(Model& model, const std::string& option, const InitWeights& init, Console& console);

}  // namespace levin::core
