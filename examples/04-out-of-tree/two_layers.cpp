// A model in Lightning's style: modules, steps and an optimizer. Its sizes come from the data.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

struct TwoLayers : levin::Model {
  static constexpr levin_option options[] = {levin::integer("hidden", "64", "width of the hidden layer", 1, 65536),
                                             levin::number("lr", "0.01", "highest learning rate", 1e-8, 10)};
  torch::nn::Linear in{nullptr}, out{nullptr};
  double lr;

  explicit TwoLayers(const levin::Args& o) : lr(o.number("lr")) {
    in = register_module("in", torch::nn::Linear(data().input_size(), o.integer("hidden")));
    out = register_module("out", torch::nn::Linear(o.integer("hidden"), data().classes()));
  }
  torch::Tensor forward(const torch::Tensor& x) { return out(torch::tanh(in(x.flatten(1)))); }
  torch::Tensor training_step(const levin::Batch& batch) {
    return torch::cross_entropy_loss(forward(batch.input()), batch.target());
  }
  void validation_step(const levin::Batch& batch) {
    const torch::Tensor y = forward(batch.input());
    log("val_loss", torch::cross_entropy_loss(y, batch.target()), levin::prog_bar);
    log("val_acc", y.argmax(1).eq(batch.target()).to(torch::kFloat).mean(), levin::prog_bar);
  }
  torch::Tensor predict_step(const levin::Batch& batch) { return forward(batch.input()).softmax(1); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adamw", {{"lr", lr}, {"weight_decay", 0.01}}); }
};

LEVIN_PLUGIN("com.example.two_layers", "1.0.0", "Apache-2.0",
             levin::model<TwoLayers>("two_layers", "Two linear layers"))
