// The supervised task of regression.
#pragma once
#include <ATen/ops/huber_loss.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/smooth_l1_loss.h>

#include <string>
#include <utility>
#include <vector>

#include "levin/metrics.hpp"
#include "levin/torch/network_loss.hpp"
#include "levin/torch/task_base.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {
inline constexpr const char* regression_losses[] = {"mse", "l1", "smooth_l1", "huber", nullptr};
}  // namespace detail

// The prediction of the network has as many elements as the target. Logs train_loss, val_loss and val_mae, test_loss
// and test_mae, and the metrics selected by --model.metrics. Its steps return loss, prediction and target; predict_step
// returns the prediction.
template <class Net, class Loss = void>
class RegressionTask : public detail::SupervisedTask<Net, Loss> {
  using Base = detail::SupervisedTask<Net, Loss>;
  static constexpr bool by_option = Base::own == detail::OwnLoss::none;

 public:
  // own: the network and the loss of a program, and 0.
  template <class... Own>
  explicit RegressionTask(const Args& args, const Own&... own)
      : Base(args, own...), metrics_(detail::with_metric(args.text("metrics"), "mae"), {}) {
    if constexpr (by_option) {
      loss_ = args.text("loss");
      beta_ = args.number("loss_beta");
    }
  }

  Outputs training_step(const Batch& batch) {
    const auto output = this->forward(batch);
    const torch::Tensor y = this->prediction(output);
    const torch::Tensor loss = this->training_loss(output, batch, option_loss());
    this->log("train_loss", loss, prog_bar);
    return outputs(loss, y, this->target(batch));
  }
  Outputs validation_step(const Batch& batch, int64_t, int64_t dataloader_idx) {
    return evaluate(batch, dataloader_idx, "val_");
  }
  Outputs test_step(const Batch& batch, int64_t, int64_t dataloader_idx) {
    return evaluate(batch, dataloader_idx, "test_");
  }
  torch::Tensor predict_step(const Batch& batch) { return this->prediction(this->forward(batch)); }

  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all = options();
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 private:
  static std::vector<levin_option> options() {
    constexpr TaskDefaults defaults = detail::task_defaults_of<Net>();
    std::vector<levin_option> more = {metrics::option};
    if (by_option) {
      more.push_back(choice("loss", defaults.loss ? defaults.loss : "\"mse\"",
                            "loss function, averaged over all numbers", detail::regression_losses));
      more.push_back(
          with(number("loss_beta", "1.0",
                      "beta of smooth_l1 or delta of huber: the error above which the loss is linear", 1e-12, 1e12),
               LEVIN_OPT_TUNABLE));
    }
    return Base::joined(more);
  }
  static Outputs outputs(const torch::Tensor& loss, const torch::Tensor& y, const torch::Tensor& target) {
    Outputs out{loss, {{"prediction", y}}};
    if (target.defined()) out.extras.emplace_back("target", target);
    return out;
  }
  static torch::Tensor in_shape_of(const torch::Tensor& y, const torch::Tensor& target) {
    if (y.numel() != target.numel())
      throw Error(LEVIN_E_INVALID, "the network predicts " + detail::shape_text(y) +
                                       ", and the target of the data is " + detail::shape_text(target) +
                                       ": both need as many numbers");
    return target.to(y.scalar_type()).view_as(y);
  }
  auto option_loss() const {
    return [this](const torch::Tensor& y, const torch::Tensor& from) {
      const torch::Tensor target = in_shape_of(y, from);
      if (loss_ == "l1") return at::l1_loss(y, target);
      if (loss_ == "smooth_l1") return at::smooth_l1_loss(y, target, at::Reduction::Mean, beta_);
      if (loss_ == "huber") return at::huber_loss(y, target, at::Reduction::Mean, beta_);
      return at::mse_loss(y, target);
    };
  }
  Outputs evaluate(const Batch& batch, int64_t loader, const std::string& prefix) {
    const auto output = this->forward(batch);
    const torch::Tensor y = this->prediction(output), target = this->target(batch);
    const torch::Tensor loss = this->loss(output, batch, option_loss());
    this->log((prefix + "loss").c_str(), loss, prog_bar | sync_dist);
    // With a custom loss there may be other targets, or none.
    if (by_option || (target.defined() && target.numel() == y.numel())) {
      metrics_.update(prefix, loader, y, target, [&](const char* name, metrics::Metric& metric) {
        metrics::log(*this, name, metric, prefix + "mae" == name ? prog_bar : LogOptions());
      });
    }
    return outputs(loss, y, target);
  }

  std::string loss_;
  double beta_ = 1;
  metrics::MetricSet metrics_;
};

}  // namespace levin
#pragma GCC visibility pop
