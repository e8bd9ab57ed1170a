// The supervised task of classification.
#pragma once
#include <ATen/ops/argmax.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/softmax.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "levin/metrics.hpp"
#include "levin/torch/class_targets.hpp"
#include "levin/torch/class_weights.hpp"
#include "levin/torch/task_base.hpp"
#include "levin/torch/teacher.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {
inline constexpr const char* classification_losses[] = {"cross_entropy", "nll", nullptr};
}  // namespace detail

// The network predicts scores [B, classes], or log-probabilities with the loss nll; targets are class indices [B] or
// probabilities [B, classes]. Of pixels (segmentation) or tokens (language models) they are [B, classes, ...] and
// [B, ...]. Logs train_loss, val_loss and val_acc, test_loss and test_acc, and the metrics selected by
// --model.metrics; with a teacher train_teacher_loss. Its steps return loss, scores and target, the class indices; in
// validation and test also prediction, the predicted classes [B]. predict_step returns classes [B] and probabilities
// [B, classes].
template <class Net, class Loss = void>
class ClassificationTask : public detail::SupervisedTask<Net, Loss> {
  using Base = detail::SupervisedTask<Net, Loss>;
  static constexpr bool by_option = Base::own == detail::OwnLoss::none;

 public:
  // own: the network, the loss and the number of classes of a program.
  template <class... Own>
  explicit ClassificationTask(const Args& args, const Own&... own)
      : Base(args, own...), teacher_(args), metrics_(args.text("metrics"), {this->classes(), /*logits=*/by_option}) {
    if constexpr (by_option) {
      nll_ = args.text("loss") == "nll";
      smoothing_ = args.number("label_smoothing");
      weights_.emplace(args, this->classes(), "classes");
    }
    if (teacher_ && detail::takes_mask<Net>::value && detail::mask_of(this->data()))
      throw Error(LEVIN_E_INVALID,
                  "--model.teacher: the rows of the data are padded, and a teacher does not see their mask");
    if (nll_ && smoothing_ != 0)
      throw Error(
          LEVIN_E_INVALID,
          "--model.label_smoothing is of cross_entropy, and --model.loss is nll: give --model.label_smoothing 0 "
          "or --model.loss cross_entropy");
  }

  void configure_optimizers(OptimPlan& plan) {
    teacher_.open(this->run(), this->data());
    Base::configure_optimizers(plan);
  }
  Outputs training_step(const Batch& batch) {
    const auto output = this->forward(batch);
    const torch::Tensor y = scores(output);
    torch::Tensor loss = detail::one_number(this->training_loss(output, batch, option_loss(/*training=*/true)));
    if (teacher_) loss = taught(loss, batch, y);
    this->log("train_loss", loss, prog_bar);
    return outputs(loss, {{"scores", y}}, class_indices(this->target(batch), y));
  }
  Outputs validation_step(const Batch& batch, int64_t, int64_t dataloader_idx) {
    return evaluate(batch, dataloader_idx, "val_");
  }
  Outputs test_step(const Batch& batch, int64_t, int64_t dataloader_idx) {
    return evaluate(batch, dataloader_idx, "test_");
  }
  Outputs predict_step(const Batch& batch) {
    const torch::Tensor y = scores(this->forward(batch));
    return {y.argmax(1), {{"probabilities", nll_ ? y.exp() : y.softmax(1)}}};
  }

  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all = options();
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 private:
  static std::vector<levin_option> options() {
    constexpr TaskDefaults defaults = detail::task_defaults_of<Net>();
    std::vector<levin_option> more;
    if (by_option)
      more.push_back(choice("loss", defaults.loss ? defaults.loss : "\"cross_entropy\"",
                            "loss function; nll = the network returns log-probabilities",
                            detail::classification_losses));
    more.push_back(metrics::option);
    if (by_option) {
      more.push_back(with(
          number("label_smoothing", defaults.label_smoothing, "label smoothing of cross_entropy in training", 0, 1),
          LEVIN_OPT_TUNABLE));
      more.push_back(detail::class_weights_option);
    }
    for (const levin_option& option : detail::Teacher::declared()) more.push_back(option);
    return Base::joined(more);
  }
  using Named = std::vector<std::pair<std::string, torch::Tensor>>;
  static Outputs outputs(const torch::Tensor& loss, Named extras, const torch::Tensor& target) {
    if (target.defined()) extras.emplace_back("target", target);
    return {loss, std::move(extras)};
  }
  torch::Tensor taught(const torch::Tensor& loss, const Batch& batch, const torch::Tensor& y) {
    teacher_.open(this->run(), this->data());
    const torch::Tensor of_teacher = teacher_.loss(this->run(), batch.input(), y, this->target(batch));
    this->log("train_teacher_loss", of_teacher);
    return teacher_.blended(loss, of_teacher);
  }
  // The loss nll accepts any numbers. Therefore the first scores are checked to be log-probabilities.
  torch::Tensor scores(const detail::Output<Net>& output) {
    const torch::Tensor y = this->prediction(output);
    if constexpr (by_option) detail::check_scores(y, this->classes());
    if (!nll_ || looked_) return y;
    looked_ = true;
    const double highest = y.detach().max().template item<double>();
    if (highest > 1e-3)
      throw Error(LEVIN_E_INVALID, "--model.loss nll takes log-probabilities, and the network returned " +
                                       std::to_string(highest) +
                                       ": give --model.loss cross_entropy, or let forward end with log_softmax");
    return y;
  }
  auto option_loss(bool training) {
    return [this, training](const torch::Tensor& y, const torch::Tensor& target) {
      detail::check_target(y, target);
      const torch::Tensor weights = training ? weights_->for_scores(y) : torch::Tensor();
      if (nll_) return nll_loss_of(y, target, weights);
      return at::cross_entropy_loss(y, target, weights, at::Reduction::Mean, -100, training ? smoothing_ : 0);
    };
  }
  // Pixels and tokens with the target -100 are left out, as by the losses.
  static torch::Tensor accuracy(const torch::Tensor& classes, const torch::Tensor& target) {
    const torch::Tensor right = classes.eq(target);
    if (target.dim() < 2) return right.to(at::kFloat).mean();
    return right.sum().to(at::kFloat) / target.ne(-100).sum().clamp_min(1);
  }
  Outputs evaluate(const Batch& batch, int64_t loader, const std::string& prefix) {
    const auto output = this->forward(batch);
    const torch::Tensor y = scores(output), target = class_indices(this->target(batch), y), classes = y.argmax(1);
    const torch::Tensor loss = detail::one_number(this->loss(output, batch, option_loss(/*training=*/false)));
    this->log((prefix + "loss").c_str(), loss, prog_bar | sync_dist);
    // With a custom loss the targets may be something other than classes.
    if (by_option || (target.defined() && target.sizes() == classes.sizes())) {
      this->log((prefix + "acc").c_str(), accuracy(classes, target), prog_bar | sync_dist);
      metrics_.update(prefix, loader, y, target,
                      [this](const char* name, metrics::Metric& metric) { metrics::log(*this, name, metric); });
    }
    return outputs(loss, {{"prediction", classes}, {"scores", y}}, target);
  }

  bool nll_ = false, looked_ = false;
  double smoothing_ = 0;
  std::optional<detail::ClassWeights> weights_;
  detail::Teacher teacher_;
  metrics::MetricSet metrics_;
};

}  // namespace levin
#pragma GCC visibility pop
