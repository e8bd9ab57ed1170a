// Runs a trained model in your program, without host and Trainer. Link Levin::inference: find_package(Levin COMPONENTS
// inference), or pkg-config levin_inference.
#pragma once
#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

// Makes LibTorch's OpenBLAS run the fastest kernels that the processor can, as runs of the host do: for a processor
// newer than the library, it takes kernels that are several times slower. Call it first in main(): where it changes
// something, it sets OPENBLAS_CORETYPE and executes the program again with the same arguments. At the first time it
// starts the program twice more, to verify the kernels, and keeps the verdict in ~/.cache/levin/blas.json. Leaves an
// OPENBLAS_CORETYPE that the user has set.
[[gnu::visibility("default")]] void choose_blas_kernels();

struct PredictorOptions {
  std::string
      plugin;  // the model's library; "" = the library named in the checkpoint, or its copy in a folder of plugins
  bool trust = false;  // as --trust of host: accept a library that other users can change
  torch::Device device = torch::kCPU;
  std::function<void(const std::string&)> warn;  // receives warnings for the user; default: std::cerr
};

// Owns a copy of the weights and its plugin; the checkpoint is not kept open. The plugin is checked as in a run. Its
// code runs in this process, so set PredictorOptions::plugin for checkpoints from other people. Errors are
// std::runtime_error: what() is one line with the error and the file or plugin.
class [[gnu::visibility("default")]] Predictor {
 public:
  // checkpoint: a file saved by a run of Levin; it names the model, its options and the description of its data.
  explicit Predictor(const std::string& checkpoint, const PredictorOptions& options = {});
  ~Predictor();
  Predictor(Predictor &&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  // Returns the outputs of the network's forward in evaluation mode and without gradients: for a classifier the scores
  // before softmax. inputs: batches as made by the data module, whose preprocessing of files is not applied; they are
  // moved to the device, where the results are, too. Callable from any thread: calls of one Predictor are serialized,
  // and LibTorch computes each call on its threads. For parallel calls create several Predictors.
  std::vector<torch::Tensor> predict(const std::vector<torch::Tensor>& inputs) const;
  torch::Tensor predict(const torch::Tensor& input) const;  // the first result

  // Class names of the training data; empty if it had none.
  const std::vector<std::string>& class_names() const;

 private:
  struct Impl;
  Impl& used() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace levin
#pragma GCC visibility pop
