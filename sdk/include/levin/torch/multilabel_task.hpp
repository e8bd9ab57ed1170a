// The supervised task of multi-label classification.
#pragma once
#include <ATen/ops/binary_cross_entropy_with_logits.h>

#include <string>
#include <utility>
#include <vector>

#include "levin/metrics.hpp"
#include "levin/torch/class_weights.hpp"
#include "levin/torch/task_base.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {
inline constexpr const char* multilabel_losses[] = {"bce", nullptr};
}  // namespace detail

// The network predicts logits [B, labels]; targets are 0 and 1, of the same shape. Logs train_loss, val_loss, val_acc
// (the fraction of correct labels) and val_f1 (macro), the same of test, and the metrics selected by --model.metrics.
// Its steps return loss, scores and target; in validation and test also prediction, 0 or 1 [B, labels]. predict_step
// returns these and probabilities.
template <class Net>
class MultilabelTask : public detail::SupervisedTask<Net, void> {
  using Base = detail::SupervisedTask<Net, void>;

 public:
  explicit MultilabelTask(const Args& args)
      : Base(args),
        labels_(outputs_of(this->data())),
        weights_(args, labels_, "labels"),
        metrics_(detail::with_metric(args.text("metrics"), "f1"), {/*classes=*/0, /*logits=*/true, labels_}) {
    if (this->data().target().classes > 0)
      throw Error(LEVIN_E_INVALID,
                  "--model.task multilabel: the target of the data is one class a row; multi-label "
                  "targets are rows of 0 and 1");
  }

  Outputs training_step(const Batch& batch) {
    const auto output = this->forward(batch);
    const torch::Tensor loss = this->training_loss(output, batch, option_loss(/*training=*/true));
    const torch::Tensor y = this->prediction(output);
    this->log("train_loss", loss, prog_bar);
    return {loss, {{"scores", y}, {"target", batch.target().view_as(y)}}};
  }
  Outputs validation_step(const Batch& batch, int64_t, int64_t loader) { return evaluate(batch, loader, "val_"); }
  Outputs test_step(const Batch& batch, int64_t, int64_t loader) { return evaluate(batch, loader, "test_"); }
  Outputs predict_step(const Batch& batch) {
    const torch::Tensor y = this->prediction(this->forward(batch));
    return {y.gt(0).to(at::kLong), {{"probabilities", y.sigmoid()}}};
  }

  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all =
        Base::joined({choice("loss", "bce", "loss function", detail::multilabel_losses), metrics::option,
                      detail::class_weights_option});
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 private:
  auto option_loss(bool training) {
    return [this, training](const torch::Tensor& y, const torch::Tensor& from) {
      const torch::Tensor target = from.to(y.scalar_type()).view_as(y);
      return at::binary_cross_entropy_with_logits(y, target, {}, training ? weights_.for_scores(y) : torch::Tensor());
    };
  }
  Outputs evaluate(const Batch& batch, int64_t loader, const std::string& prefix) {
    const auto output = this->forward(batch);
    const torch::Tensor y = this->prediction(output), target = batch.target().view_as(y), labels = y.gt(0);
    const torch::Tensor loss = this->loss(output, batch, option_loss(/*training=*/false));
    this->log((prefix + "loss").c_str(), loss, prog_bar | sync_dist);
    this->log((prefix + "acc").c_str(), labels.eq(target.gt(0.5)).to(at::kFloat).mean(), prog_bar | sync_dist);
    metrics_.update(prefix, loader, y, target,
                    [this](const char* name, metrics::Metric& metric) { metrics::log(*this, name, metric); });
    return {loss, {{"prediction", labels.to(at::kLong)}, {"scores", y}, {"target", target}}};
  }

  int64_t labels_;
  detail::ClassWeights weights_;
  metrics::MetricSet metrics_;
};

}  // namespace levin
#pragma GCC visibility pop
