// A linear classifier that logs the metric. A model of your own includes my_plugin.hpp and does the same.
#include "my_plugin.hpp"

#include <torch/nn.h>
#include <levin/torch.hpp>

namespace {

struct Classifier : levin::Model {
  Classifier() { out = register_module("out", torch::nn::Linear(data().input_size(), data().classes())); }

  torch::Tensor forward(torch::Tensor x) { return out(x.flatten(1)); }

  torch::Tensor training_step(const levin::Batch& batch) {
    return at::cross_entropy_loss(forward(batch.input()), batch.target());
  }
  void validation_step(const levin::Batch& batch) {
    metric.update(forward(batch.input()), batch.target());
    levin::metrics::log(*this, "val_my_plugin", metric, levin::prog_bar);
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", 0.001}}); }

 private:
  torch::nn::Linear out{nullptr};
  MyPlugin metric;  // lives as long as the model; one object for each name and loader
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::model<Classifier>("my_plugin", "A linear classifier that logs a metric"))
