// Weights from a file of another program in a module of yours, whether or not it is a plugin's. Link Levin::inference.
#pragma once
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

enum class Match {
  strict,  // every tensor of the module has to be in the file, every one of the file in the module, of equal shape
  fitting  // takes what fits by name and shape, and at least one tensor
};

// Copies the tensors of a file into the module's parameters and buffers of the same names, converted to their types and
// devices. Takes what --model.init_from takes: files of torch.save and torch::save, Lightning's checkpoints,
// safetensors, checkpoints of Levin; nothing in a file is executed. Returns what fitted and what did not, for people.
// Throws std::runtime_error, whose what() says what does not fit; then the module is as it was. No other thread may use
// the module meanwhile.
[[gnu::visibility("default")]] std::string load_weights(torch::nn::Module& module, const std::string& file,
                                                        Match match = Match::strict);

template <class Contained>
std::string load_weights(torch::nn::ModuleHolder<Contained>& holder, const std::string& file,
                         Match match = Match::strict) {
  return load_weights(static_cast<torch::nn::Module&>(*holder), file, match);
}

}  // namespace levin
#pragma GCC visibility pop
