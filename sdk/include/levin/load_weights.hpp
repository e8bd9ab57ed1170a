// Loads weights from a file of another program into any module. Link Levin::inference.
#pragma once
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

enum class Match {
  strict,  // the file and the module must have the same tensors, by name and shape
  fitting  // loads the tensors that fit by name and shape; at least one must fit
};

// Copies the tensors of a file into the module's parameters and buffers of the same names, converted to their types and
// devices. Accepts the files of --model.init_from: torch.save and torch::save, Lightning's checkpoints, safetensors,
// checkpoints of Levin; nothing in a file is executed. Returns a text for the user with the loaded and the other
// tensors. Throws std::runtime_error, whose what() lists what does not fit; the module is then unchanged. No other
// thread may use the module during the call.
[[gnu::visibility("default")]] std::string load_weights(torch::nn::Module& module, const std::string& file,
                                                        Match match = Match::strict);

template <class Contained>
std::string load_weights(torch::nn::ModuleHolder<Contained>& holder, const std::string& file,
                         Match match = Match::strict) {
  return load_weights(static_cast<torch::nn::Module&>(*holder), file, match);
}

}  // namespace levin
#pragma GCC visibility pop
