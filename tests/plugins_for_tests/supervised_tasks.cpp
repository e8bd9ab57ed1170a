// Classifiers and regressors with one or two linear layers.
#include <ATen/ops/cross_entropy_loss.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

// Returns class scores.
struct Scores : torch::nn::Module {
  torch::nn::Linear out;
  explicit Scores(const levin::DataInfo& data)
      : out(register_module("out", torch::nn::Linear(data.input_size(), data.classes()))) {}
  torch::Tensor forward(const torch::Tensor& x) { return out(x.flatten(1)); }
};

struct LogProbabilities : Scores {
  using Scores::Scores;
  torch::Tensor forward(const torch::Tensor& x) { return Scores::forward(x).log_softmax(1); }
};

struct Number : torch::nn::Module {
  torch::nn::Linear out;
  explicit Number(const levin::DataInfo& data) : out(register_module("out", torch::nn::Linear(data.input_size(), 1))) {}
  torch::Tensor forward(const torch::Tensor& x) { return out(x.flatten(1)); }
};

// Its forward draws random numbers in training and in evaluation.
struct Noisy : torch::nn::Module {
  torch::nn::Linear in, out;
  explicit Noisy(const levin::DataInfo& data)
      : in(register_module("in", torch::nn::Linear(data.input_size(), 8))),
        out(register_module("out", torch::nn::Linear(8, data.classes()))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    const torch::Tensor y = levin::watch(in, x.flatten(1));
    return levin::watch(out, y + torch::randn_like(y));
  }
};

// Rejects a single row.
struct Pairs : Noisy {
  using Noisy::Noisy;
  torch::Tensor forward(const torch::Tensor& x) {
    TORCH_CHECK(x.size(0) > 1, "a pair needs two rows");
    return Noisy::forward(x);
  }
};

// Hooks, optimizer and loss are defined by the network.
struct Ruled : Scores {
  using Scores::Scores;
  static torch::Tensor loss(const torch::Tensor& y, const torch::Tensor& target) {
    return at::cross_entropy_loss(y, target) * 2;
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}}); }
  void on_train_epoch_end(const levin::Event& event) { event.run().log("epochs", static_cast<double>(event.epoch())); }
};

// Does not register its module.
struct Forgetful : torch::nn::Module {
  torch::nn::Linear out;
  explicit Forgetful(const levin::DataInfo& data) : out(data.input_size(), data.classes()) {}
  torch::Tensor forward(const torch::Tensor& x) { return out(x.flatten(1)); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.supervised_tasks", "1.0.0", "Apache-2.0",
             levin::classifier<Scores>("scores", "Scores of classes"),
             levin::classifier<LogProbabilities>("log_probabilities", "Their log-probabilities"),
             levin::regressor<Number>("number", "A number"), levin::classifier<Noisy>("noisy", "Scores with noise"),
             levin::classifier<Pairs>("pairs", "Scores of two rows and more"),
             levin::classifier<Ruled>("ruled", "Scores with a loss and an optimizer of their own"),
             levin::classifier<Forgetful>("forgetful", "Nothing that trains"))
