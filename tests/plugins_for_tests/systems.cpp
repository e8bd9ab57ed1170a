// Systems around one linear layer.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

// Scores of classes.
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

}  // namespace

LEVIN_PLUGIN("levin.test.systems", "1.0.0", "Apache-2.0", levin::classifier<Scores>("scores", "Scores of classes"),
             levin::classifier<LogProbabilities>("log_probabilities", "Their log-probabilities"),
             levin::regressor<Number>("number", "A number"))
