// A trained model in a program of yours, without host and Trainer. Link Levin::inference: find_package(Levin COMPONENTS
// inference), or pkg-config levin_inference.
#pragma once
#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

struct PredictorOptions {
  std::string plugin;  // the model's library; "": the one that the checkpoint names, or its copy in a folder of plugins
  bool trust = false;  // as --trust of host: take a library that others can change
  torch::Device device = torch::kCPU;
  std::function<void(const std::string&)> warn;  // takes lines for people; by default std::cerr
};

// Holds its own copy of the weights and its plugin, and keeps nothing of the checkpoint open. The plugin passes the
// checks that it passes in a run; its code runs in this process, so name the plugin for checkpoints that others made.
// Errors are std::runtime_error: what() is one line that says what is wrong, with the file or the plugin.
class [[gnu::visibility("default")]] Predictor {
 public:
  // checkpoint: a file that a run of Levin has saved; it says which model it is of, with its options, and what its data
  // was.
  explicit Predictor(const std::string& checkpoint, const PredictorOptions& options = {});
  ~Predictor();
  Predictor(Predictor &&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  // What the network's forward gives in evaluation mode and without gradients: of a classifier the scores before
  // softmax. Inputs are batches as the data module makes them, without what it does to files; they are moved to the
  // device, and the results lie there. Any thread may call it: calls of one Predictor take turns, and LibTorch computes
  // each on its threads. For calls side by side make several.
  std::vector<torch::Tensor> predict(const std::vector<torch::Tensor>& inputs) const;
  torch::Tensor predict(const torch::Tensor& input) const;  // the first of the results

  // Of the data that it was trained on; empty where that named none.
  const std::vector<std::string>& class_names() const;

 private:
  struct Impl;
  Impl& used() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace levin
#pragma GCC visibility pop
