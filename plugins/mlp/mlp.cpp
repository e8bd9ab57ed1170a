// A perceptron with one hidden layer, for classification or, if the data has no classes, for regression.
#include <torch/nn/modules/linear.h>
#include <levin/metrics.hpp>
#include <levin/torch.hpp>
#include <string_view>

struct Mlp : levin::Model {
  static constexpr levin_option options[] = {levin::integer("hidden", "128", "width of the hidden layer", 1, 1e6),
                                             levin::number("lr", "0.001", "learning rate of Adam", 0, 10),
                                             levin::metrics::option};
  const bool classify = data().target().classes > 0;
  torch::nn::Linear in{nullptr}, out{nullptr};
  double lr;
  levin::metrics::MetricSet metrics;

  explicit Mlp(const levin::Args& o)
      : lr(o.number("lr")), metrics(o.text("metrics"), {classify ? data().classes() : 0, /*logits=*/true}) {
    if (data().input().dtype.code != LEVIN_FLOAT)
      throw levin::Error(LEVIN_E_INVALID, "mlp needs numbers; field '" + data().input().name +
                                              "' of the data has integers, such as tokens or classes");
    in = register_module("in", torch::nn::Linear(data().input_size(), o.integer("hidden")));
    out = register_module("out", torch::nn::Linear(o.integer("hidden"), levin::outputs_of(data())));
  }
  torch::Tensor forward(torch::Tensor x) {
    return levin::watch(out, levin::watch(in, x.reshape({x.size(0), -1})).relu());
  }
  torch::Tensor example_input() const { return levin::example_of(data()); }
  torch::Tensor loss(const torch::Tensor& y, const torch::Tensor& target, const char* name) {
    torch::Tensor loss = classify ? torch::cross_entropy_loss(y, target) : torch::mse_loss(y, target.view_as(y));
    const bool training = std::string_view(name) == "train_loss";
    log(name, loss, training ? levin::prog_bar : levin::prog_bar | levin::sync_dist);
    return loss;
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    return loss(forward(batch.input()), batch.target(), "train_loss");
  }
  // Returns the loss and the outputs that callbacks such as confusion_matrix use.
  levin::Outputs evaluate(const levin::Batch& batch, int64_t loader, const std::string& prefix) {
    const torch::Tensor y = forward(batch.input());
    const torch::Tensor target = classify ? levin::class_indices(batch.target(), y) : batch.target();
    const torch::Tensor value = loss(y, batch.target(), (prefix + "loss").c_str());
    metrics.update(prefix, loader, y, target,
                   [this](const char* name, levin::metrics::Metric& m) { levin::metrics::log(*this, name, m); });
    return {value, {{"scores", y}, {"prediction", classify ? y.argmax(1) : y}, {"target", target}}};
  }
  levin::Outputs validation_step(const levin::Batch& batch, int64_t, int64_t loader) {
    return evaluate(batch, loader, "val_");
  }
  levin::Outputs test_step(const levin::Batch& batch, int64_t, int64_t loader) {
    return evaluate(batch, loader, "test_");
  }
  levin::Outputs predict_step(const levin::Batch& batch) {
    const torch::Tensor y = forward(batch.input());
    if (!classify) return {y, {}};
    return {y.argmax(1), {{"probabilities", y.softmax(1)}}};
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", lr}}); }
};

LEVIN_PLUGIN("levin.mlp", "0.1.0", "Apache-2.0", levin::model<Mlp>("mlp", "A perceptron with one hidden layer"))
