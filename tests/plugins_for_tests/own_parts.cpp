// A model with an optimizer and callbacks of its own plugin.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include "script.hpp"

namespace {

using scripted::record;

// SGD with momentum.
struct Momentum : levin::Optimizer {
  static constexpr levin_option options[] = {
      levin::number("lr", "0.1", "learning rate", 0, 10),
      levin::number("momentum", "0", "share of the last update that is kept", 0, 1),
      levin::flag("maximize", "false", "climb")};

  void init_state(levin::OptimizerParam& p) { p.state["momentum_buffer"] = at::zeros_like(p.tensor); }
  void step() {
    for (levin::OptimizerGroup& group : groups())
      for (levin::OptimizerParam& p : group.params) {
        if (!p.tensor.grad().defined()) continue;
        at::Tensor& buffer = p.state.at("momentum_buffer").mul_(group["momentum"]).add_(p.tensor.grad());
        p.tensor.add_(buffer, group["maximize"] != 0 ? group["lr"] : -group["lr"]);
      }
  }
};

// Records its stages, and sets the batch size at the hook `resize_at`.
struct Probe : levin::Callback {
  static constexpr levin_option options[] = {levin::text("resize_at", "\"\"", "the hook that sets the batch size"),
                                             levin::flag("trial", "false", "begin a trial there instead")};
  const std::string resize_at;
  const bool trial;
  explicit Probe(const levin::Args& o) : resize_at(o.text("resize_at")), trial(o.flag("trial")) {}

  void stage(const char* what, const levin::Event& e) const {
    record(name() + "." + what + " " + std::to_string(static_cast<uint32_t>(e.stage())));
  }
  void resize(const char* hook, const levin::Event& e) const {
    if (resize_at != hook) return;
    const levin::Run run = e.run();
    if (trial)
      levin::detail::check(run.trial().begin(run.raw()), "begin");
    else
      levin::detail::check(run.trial().set_batch_size(run.raw(), 2), "set_batch_size");
  }
  void setup(const levin::Event& e) const { stage("setup", e); }
  void teardown(const levin::Event& e) const { stage("teardown", e); }
  void on_train_start(const levin::Event& e) const { resize("on_train_start", e); }
  void on_train_batch_end(const levin::Event& e) const {
    record(name() + ".rows " + std::to_string(levin::Batch(e.raw().batch).rows()));
    resize("on_train_batch_end", e);
  }
  void on_train_epoch_end(const levin::Event& e) const { resize("on_train_epoch_end", e); }
};

const char* const brought[] = {"none", "two", "unknown_option", "no_object", nullptr};

struct Regression : levin::Model {
  static constexpr levin_option options[] = {
      levin::choice("brings", "\"none\"", "callbacks", brought),
      levin::text("optimizer_options", "\"{\\\"lr\\\": 0.05, \\\"momentum\\\": 0.9}\"", "a JSON object")};
  const std::string optimizer_options;
  torch::nn::Linear in{nullptr}, out{nullptr};

  static void configure_callbacks(const levin::Args& o, const levin::CallbackList& list) {
    const std::string what = o.text("brings");
    if (what == "two") {
      list.add("probe", "{}", "first");
      list.add("probe", "{\"trial\": true}", "second");
    }
    if (what == "unknown_option") list.add("probe", "{\"resize\": \"x\"}");
    if (what == "no_object") list.add("probe", "[1]");
  }
  explicit Regression(const levin::Args& o) : optimizer_options(o.text("optimizer_options")) {
    in = register_module("in", torch::nn::Linear(data().input_size(), 8));
    out = register_module("out", torch::nn::Linear(8, 1));
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    return torch::mse_loss(out(in(batch["x"]).tanh()), batch["y"]);
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer_json("own_momentum", optimizer_options, {{"", {"in.*"}, {}}, {"", {"out.*"}, {{"lr", 0.01}}}});
    plan.scheduler("step", {{"step_size", 1}, {"gamma", 0.9}});
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.own_parts", "1.0.0", "Apache-2.0",
             levin::model<Regression>("own_parts", "Brings an optimizer and callbacks"),
             levin::optimizer<Momentum>("own_momentum", "SGD with momentum"),
             levin::callback<Probe>("probe", "Writes down its stages"))
