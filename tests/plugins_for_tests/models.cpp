// Models that record every call and perform a scripted action at one of them.
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <levin/metrics.hpp>
#include <levin/torch.hpp>

#include <cmath>

#include "script.hpp"

namespace {

using namespace scripted;

const char* const schedules[] = {"epoch", "step", "plateau", "none", nullptr};
constexpr levin_option metric_option = levin::flag("metric", "false", "log the mean of the losses, which has a state");

// A small regression with dropout, a buffer and, by options, momentum and a schedule.
struct Net : levin::Model {
  static constexpr levin_option options[] = {
      do_option,
      at_option,
      batch_option,
      epoch_option,
      levin::choice("scheduler", "\"epoch\"", "StepLR by epoch or step, ReduceLROnPlateau of 'm', or none", schedules),
      levin::number("lr", "0.05", "learning rate", 0, 10),
      levin::number("momentum", "0", "of SGD", 0, 1),
      levin::number("dropout", "0", "probability", 0, 1),
      levin::number("scale", "1", "of the loss", 0, 1e9),
      levin::flag("log", "false", "log loss and m"),
      levin::flag("noise", "false", "of random numbers in validation"),
      metric_option};
  const Script script;
  const std::string scheduler;
  const double lr, momentum, scale;
  const bool logs, noise, has_metric;
  torch::nn::Linear in{nullptr}, out{nullptr};
  torch::nn::Dropout dropout{nullptr};
  torch::Tensor seen;
  levin::metrics::Mean mean_of_losses;

  explicit Net(const levin::Args& o)
      : script(o),
        scheduler(o.text("scheduler")),
        lr(o.number("lr")),
        momentum(o.number("momentum")),
        scale(o.number("scale")),
        logs(o.flag("log")),
        noise(o.flag("noise")),
        has_metric(o.flag("metric")) {
    in = register_module("in", torch::nn::Linear(data().input_size(), 8));
    out = register_module("out", torch::nn::Linear(8, 1));
    dropout = register_module("dropout", torch::nn::Dropout(o.number("dropout")));
    seen = register_buffer("seen", torch::zeros({1}));
    if (script.now("create", -1, -1)) script.perform();
  }
  levin_status called(const char* what, int64_t batch = -1) {
    const int64_t epoch = current_epoch();
    record(std::string("lm.") + what + " " + std::to_string(epoch) + " " + std::to_string(global_step()));
    const levin_status status = script.at(what, batch, epoch);
    if (status == LEVIN_STOP) run().stop("the script");
    return status;
  }
  torch::Tensor loss(const levin::Batch& batch, const char* what, int64_t index) {
    called(what, index);
    const bool undefined = script.is("nothing") && script.now(what, index, current_epoch());
    torch::Tensor y = out(dropout(in(batch.input()).tanh()));
    torch::Tensor value = torch::mse_loss(y, batch.target()) * scale;
    if (script.is("nan") && script.now(what, index, current_epoch())) value = value * std::nan("");
    if (logs) log((std::string(what) + "_loss").c_str(), value, levin::prog_bar);
    if (has_metric && std::string(what) == "training_step") {
      mean_of_losses.update(value.detach(), static_cast<double>(batch.rows()));
      levin::metrics::log(*this, "metric", mean_of_losses, levin::on_step | levin::on_epoch);
    }
    if (script.is("backward") && script.now(what, index, current_epoch())) manual_backward(value);
    if (script.is("free_graph") && script.now(what, index, current_epoch())) value.backward();
    return undefined ? torch::Tensor() : value;
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    seen.add_(static_cast<double>(batch.rows()));
    if (scheduler == "plateau") log("m", 1.0);
    return loss(batch, "training_step", index);
  }
  void validation_step(const levin::Batch& batch, int64_t index) {
    if (noise) log("noise", torch::rand({1}).item<double>());
    loss(batch, "validation_step", index);
  }
  void test_step(const levin::Batch& batch, int64_t index) { loss(batch, "test_step", index); }
  torch::Tensor predict_step(const levin::Batch& batch, int64_t index) {
    called("predict_step", index);
    return out(dropout(in(batch.input()).tanh()));
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    called("configure_optimizers");
    if (script.is("nothing") && script.now("configure_optimizers", -1, current_epoch())) return;
    plan.optimizer("sgd", {{"lr", lr}, {"momentum", momentum}});
    if (scheduler == "plateau")
      plan.scheduler("reduce_on_plateau", {}, levin::Interval::epoch, 0, "m");
    else if (scheduler != "none")
      plan.scheduler("step", {{"step_size", 1}, {"gamma", 0.9}},
                     scheduler == "step" ? levin::Interval::step : levin::Interval::epoch);
  }
};

#define RECORD(NAME, bit, member) \
  levin::Status member(const levin::Event& e) { return this->called(#member, e.batch_idx()); }

// Overrides how batches reach the device, and does what the host would do.
struct Transfers : Net {
  using Net::Net;
  std::vector<torch::Tensor> tensors(const char* what, const levin::Batch& batch) {
    called(what);
    return {batch[0], batch[1]};
  }
  std::vector<torch::Tensor> on_before_batch_transfer(const levin::Batch& b) {
    return tensors("on_before_batch_transfer", b);
  }
  std::vector<torch::Tensor> transfer_batch_to_device(const levin::Batch& b, torch::Device) {
    return tensors("transfer_batch_to_device", b);
  }
  std::vector<torch::Tensor> on_after_batch_transfer(const levin::Batch& b) {
    return tensors("on_after_batch_transfer", b);
  }
};

// Has every hook and every override; each override does what the host would do.
struct Scripted : Transfers {
  using Transfers::Transfers;
  LEVIN_FOR_EACH_HOOK(RECORD)

  void optimizer_step(const levin::OptimCall& call) {
    called("optimizer_step", call.batch_idx());
    call.step();
  }
  void optimizer_zero_grad(const levin::OptimCall& call) {
    called("optimizer_zero_grad", call.batch_idx());
    optimizers(call.optimizer_idx()).zero_grad();
  }
  void backward(const levin::OptimCall& call) {
    called("backward", call.batch_idx());
    call.loss().backward();
  }
  void lr_scheduler_step(const levin::OptimCall& call) {
    called("lr_scheduler_step", call.batch_idx());
    levin::detail::check(run().optim().scheduler_step(run().raw(), call.scheduler_idx(), call.metric()), "step");
  }
  void configure_gradient_clipping(const levin::OptimCall& call) {
    called("configure_gradient_clipping", call.batch_idx());
    if (call.clip_val() > 0)
      levin::detail::check(
          run().optim().clip(run().raw(), call.optimizer_idx(), call.clip_val(), call.clip_algorithm().c_str()),
          "clip");
  }
};

// One or two optimizers in manual optimization.
struct Manual : Transfers {
  static constexpr bool automatic_optimization = false;
  static constexpr levin_option options[] = {do_option,
                                             at_option,
                                             batch_option,
                                             epoch_option,
                                             levin::choice("scheduler", "\"none\"", "", schedules),
                                             levin::number("lr", "0.05", "learning rate", 0, 10),
                                             levin::number("momentum", "0", "of SGD", 0, 1),
                                             levin::number("dropout", "0", "probability", 0, 1),
                                             levin::number("scale", "1", "of the loss", 0, 1e9),
                                             levin::flag("log", "false", "log loss and m"),
                                             levin::flag("noise", "false", "of random numbers in validation"),
                                             metric_option,
                                             levin::integer("optimizers", "1", "how many", 1, 2)};
  const int64_t count;
  explicit Manual(const levin::Args& o) : Transfers(o), count(o.integer("optimizers")) {}
  LEVIN_FOR_EACH_HOOK(RECORD)

  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    called("training_step", index);
    torch::Tensor last;
    for (uint32_t i = 0; i < count; ++i) {
      optimizers(i).toggle();
      last = torch::mse_loss(out(in(batch.input()).tanh()), batch.target());
      if (script.is("nan") && script.now("training_step", index, current_epoch())) last = last * std::nan("");
      optimizers(i).zero_grad();
      manual_backward(last);
      optimizers(i).step();
      optimizers(i).untoggle();
    }
    return last.detach();
  }
  void backward(const levin::OptimCall& call) {
    called("backward");
    call.loss().backward();
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    called("configure_optimizers");
    const char* const parts[] = {"in.*", "out.*"};
    for (int64_t i = 0; i < count; ++i)
      plan.optimizer(
          "sgd", {{"lr", lr}},
          count == 1 ? std::vector<levin::ParameterGroup>{} : std::vector<levin::ParameterGroup>{{"", {parts[i]}, {}}});
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.models", "1.0.0", "Apache-2.0", levin::model<Scripted>("scripted", "Every hook and override"),
             levin::model<Net>("plain", "No hook"), levin::model<Manual>("scripted_manual", "Manual optimization"))
