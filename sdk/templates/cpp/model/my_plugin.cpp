// A perceptron with a training step of its own. A network with nothing but forward needs less: levin::classifier.
#include <torch/nn.h>
#include <levin/torch.hpp>

namespace {

struct MyPlugin : levin::Model {
  static constexpr levin_option options[] = {
      levin::with(levin::integer("hidden", "64", "width of the hidden layer", 1, 65536), LEVIN_OPT_TUNABLE),
      levin::with(levin::number("lr", "0.001", "learning rate", 0, 10), LEVIN_OPT_TUNABLE)};

  explicit MyPlugin(const levin::Args& args) : lr(args.number("lr")) {
    in = register_module("in", torch::nn::Linear(data().input_size(), args.integer("hidden")));
    out = register_module("out", torch::nn::Linear(args.integer("hidden"), data().classes()));
  }

  torch::Tensor forward(torch::Tensor x) { return out(torch::relu(in(x.flatten(1)))); }

  torch::Tensor training_step(const levin::Batch& batch) { return step(batch, "train_loss"); }
  void validation_step(const levin::Batch& batch) { step(batch, "val_loss"); }
  void test_step(const levin::Batch& batch) { step(batch, "test_loss"); }
  torch::Tensor predict_step(const levin::Batch& batch) { return forward(batch.input()).softmax(1); }

  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", lr}}); }

 private:
  torch::Tensor step(const levin::Batch& batch, const char* name) {
    const torch::Tensor loss = at::cross_entropy_loss(forward(batch.input()), batch.target());
    log(name, loss, levin::prog_bar);
    return loss;
  }

  double lr;
  torch::nn::Linear in{nullptr}, out{nullptr};
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", levin::model<MyPlugin>("my_plugin", "A perceptron"))
