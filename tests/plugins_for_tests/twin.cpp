// The C++ version of the model in tests/engine/golden/lightning/make.py.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

const char* const intervals[] = {"epoch", "step", nullptr};

struct Twin : levin::Model {
  static constexpr levin_option options[] = {
      levin::text("optimizer", "\"adam\"", "its name"),
      levin::json("optimizer_options", "{\"lr\": 0.05}", "its options"),
      levin::text("scheduler", "\"\"", "its name, or nothing"),
      levin::json("scheduler_options", "{}", "its options"),
      levin::choice("interval", "\"epoch\"", "when the schedule is stepped", intervals),
      levin::flag("two_groups", "false", "the biases have half the learning rate of 0.05"),
      levin::flag("frozen", "false", "the first layer is"),
      levin::flag("tied", "false", "the first layer is there under two names"),
  };
  const std::string optimizer, optimizer_options, scheduler, scheduler_options, interval;
  const bool two_groups;
  torch::nn::Linear first{nullptr}, last{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};

  explicit Twin(const levin::Args& o)
      : optimizer(o.text("optimizer")),
        optimizer_options(o.text("optimizer_options")),
        scheduler(o.text("scheduler")),
        scheduler_options(o.text("scheduler_options")),
        interval(o.text("interval")),
        two_groups(o.flag("two_groups")) {
    first = register_module("first", torch::nn::Linear(4, 4));
    norm = register_module("norm", torch::nn::BatchNorm1d(4));
    last = register_module("last", torch::nn::Linear(4, 1));
    if (o.flag("tied")) register_module("again", first);
    if (!o.flag("frozen")) return;
    for (torch::Tensor& p : first->parameters()) p.set_requires_grad(false);
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    const torch::Tensor loss = torch::mse_loss(last(norm(first(batch.input()).tanh())), batch.target());
    log("loss", loss, levin::on_epoch);
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    std::vector<levin::ParameterGroup> groups;
    if (two_groups) groups = {{"weights", {"*weight"}, {}}, {"biases", {"*bias"}, {{"lr", 0.025}}}};
    plan.optimizer_json(optimizer, optimizer_options, groups);
    if (scheduler.empty()) return;
    plan.scheduler_json(scheduler, scheduler_options,
                        interval == "step" ? levin::Interval::step : levin::Interval::epoch, 0, "loss");
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.twin", "1.0.0", "Apache-2.0", levin::model<Twin>("twin", "A model that Python has too"))
