// Supervised tasks: a loss, metrics, an optimizer and a schedule around a network that has nothing but forward.
//
//   struct Net : torch::nn::Module { explicit Net(const levin::DataInfo&); torch::Tensor forward(torch::Tensor); };
//   LEVIN_PLUGIN("org.me.net", "1.0.0", "MIT", levin::classifier<Net>("net", "My network"))
//
// The network is made from (Args, DataInfo), (DataInfo), (Args) or nothing; its options, if it declares any, come
// behind the task's. Parameter names are the network's own. A network may set the defaults of the task's options with
//   static constexpr levin::TaskDefaults task_defaults{...}.
// The model summary shows the sizes of the modules that forward calls by levin::watch. Its example is a row of zeros,
// or what the network's example_input() returns.
#pragma once
#include <ATen/ops/argmax.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/softmax.h>

#include "levin/detail/task_options.hpp"
#include "levin/metrics.hpp"
#include "levin/model.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

LEVIN_DETECT(task_defaults)

template <class Net>
constexpr TaskDefaults task_defaults_of() {
  if constexpr (has_task_defaults<Net>::value)
    return Net::task_defaults;
  else
    return {};
}

template <class Net>
std::shared_ptr<Net> make_network(const Args& args, const DataInfo& data) {
  if constexpr (std::is_constructible_v<Net, const Args&, const DataInfo&>)
    return std::make_shared<Net>(args, data);
  else if constexpr (std::is_constructible_v<Net, const DataInfo&>)
    return std::make_shared<Net>(data);
  else if constexpr (std::is_constructible_v<Net, const Args&>)
    return std::make_shared<Net>(args);
  else
    return std::make_shared<Net>();
}

// A network, with its optimizer and schedule by options.
template <class Net>
class SupervisedTask : public ModelBase {
 public:
  explicit SupervisedTask(const Args& args)
      : options_(args, task_defaults_of<Net>()), net_(make_network<Net>(args, this->data())) {}

  Net& module() { return *net_; }
  void configure_optimizers(OptimPlan& plan) { options_.configure(plan); }
  torch::Tensor example_input() const {
    if constexpr (has_example_input<Net>::value)
      return net_->example_input();
    else
      return example_of(this->data());
  }

  static std::pair<const levin_option*, uint32_t> joined(std::vector<levin_option> own) {
    static const std::vector<levin_option> all = [&] {
      const auto [more, n] = options_of<Net>();
      own.insert(own.end(), more, more + n);
      return own;
    }();
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 protected:
  torch::Tensor forward(const Batch& batch) { return net_->forward(batch.input()); }

 private:
  TaskOptions options_;
  std::shared_ptr<Net> net_;
};

inline constexpr const char* classification_losses[] = {"cross_entropy", "nll", nullptr};
inline constexpr const char* regression_losses[] = {"mse", "l1", nullptr};

}  // namespace detail

// The network returns scores [B, classes], or log-probabilities with the loss nll; targets are classes [B]. Logs
// train_loss, val_loss and val_acc, test_loss and test_acc, and the metrics that are asked for. Predicts classes [B]
// and probabilities [B, classes].
template <class Net>
class ClassificationTask : public detail::SupervisedTask<Net> {
 public:
  explicit ClassificationTask(const Args& args)
      : detail::SupervisedTask<Net>(args),
        nll_(args.text("loss") == "nll"),
        smoothing_(args.number("label_smoothing")),
        metrics_(args.text("metrics"), this->data().classes()) {
    if (nll_ && smoothing_ != 0)
      throw Error(
          LEVIN_E_INVALID,
          "--model.label_smoothing is of cross_entropy, and --model.loss is nll: give --model.label_smoothing 0 "
          "or --model.loss cross_entropy");
  }

  torch::Tensor training_step(const Batch& batch) {
    const torch::Tensor loss = loss_of(scores(batch), batch.target(), smoothing_);
    this->log("train_loss", loss, prog_bar);
    return loss;
  }
  void validation_step(const Batch& batch, int64_t, int64_t dataloader_idx) { evaluate(batch, dataloader_idx, "val_"); }
  void test_step(const Batch& batch, int64_t, int64_t dataloader_idx) { evaluate(batch, dataloader_idx, "test_"); }
  Outputs predict_step(const Batch& batch) {
    const torch::Tensor y = scores(batch);
    return {y.argmax(1), {{"probabilities", nll_ ? y.exp() : y.softmax(1)}}};
  }

  static std::pair<const levin_option*, uint32_t> option_table() {
    constexpr TaskDefaults defaults = detail::task_defaults_of<Net>();
    std::vector<levin_option> own = detail::TaskOptions::declared(defaults);
    own.push_back(choice("loss", defaults.loss ? defaults.loss : "\"cross_entropy\"",
                         "nll: the network returns log-probabilities", detail::classification_losses));
    own.push_back(text("metrics", "\"\"",
                       "also logged of validation and test: macro_accuracy, precision, recall, f1, top5, auroc"));
    own.push_back(with(number("label_smoothing", defaults.label_smoothing, "of cross_entropy while training", 0, 1),
                       LEVIN_OPT_TUNABLE));
    return detail::SupervisedTask<Net>::joined(std::move(own));
  }

 private:
  // The loss nll takes any numbers, and would train on nonsense if they were no log-probabilities. So the first scores
  // are looked at.
  torch::Tensor scores(const Batch& batch) {
    const torch::Tensor y = this->forward(batch);
    if (!nll_ || looked_) return y;
    looked_ = true;
    const double highest = y.detach().max().item<double>();
    if (highest > 1e-3)
      throw Error(LEVIN_E_INVALID, "--model.loss nll takes log-probabilities, and the network returned " +
                                       std::to_string(highest) +
                                       ": give --model.loss cross_entropy, or let forward end with log_softmax");
    return y;
  }
  torch::Tensor loss_of(const torch::Tensor& y, const torch::Tensor& target, double smoothing) {
    if (nll_) return at::nll_loss(y, target);
    return at::cross_entropy_loss(y, target, {}, at::Reduction::Mean, -100, smoothing);
  }
  void evaluate(const Batch& batch, int64_t loader, const std::string& prefix) {
    const torch::Tensor y = scores(batch), target = batch.target();
    this->log((prefix + "loss").c_str(), loss_of(y, target, 0), prog_bar);
    this->log((prefix + "acc").c_str(), y.argmax(1).eq(target).to(at::kFloat).mean(), prog_bar);
    metrics_.update(prefix, loader, y, target,
                    [this](const char* name, metrics::Metric& metric) { metrics::log(*this, name, metric); });
  }
  bool nll_, looked_ = false;
  double smoothing_;
  metrics::MetricSet metrics_;
};

// The network returns as many numbers as the target has. Logs train_loss, val_loss and val_mae, test_loss and test_mae.
// Predicts what the network returns.
template <class Net>
class RegressionTask : public detail::SupervisedTask<Net> {
 public:
  explicit RegressionTask(const Args& args) : detail::SupervisedTask<Net>(args), l1_(args.text("loss") == "l1") {}

  torch::Tensor training_step(const Batch& batch) {
    const torch::Tensor loss = loss_of(this->forward(batch), batch.target());
    this->log("train_loss", loss, prog_bar);
    return loss;
  }
  void validation_step(const Batch& batch) { evaluate(batch, "val_loss", "val_mae"); }
  void test_step(const Batch& batch) { evaluate(batch, "test_loss", "test_mae"); }
  torch::Tensor predict_step(const Batch& batch) { return this->forward(batch); }

  static std::pair<const levin_option*, uint32_t> option_table() {
    constexpr TaskDefaults defaults = detail::task_defaults_of<Net>();
    std::vector<levin_option> own = detail::TaskOptions::declared(defaults);
    own.push_back(
        choice("loss", defaults.loss ? defaults.loss : "\"mse\"", "mean over all numbers", detail::regression_losses));
    return detail::SupervisedTask<Net>::joined(std::move(own));
  }

 private:
  torch::Tensor loss_of(const torch::Tensor& y, torch::Tensor target) {
    target = target.to(y.scalar_type()).view_as(y);
    return l1_ ? at::l1_loss(y, target) : at::mse_loss(y, target);
  }
  void evaluate(const Batch& batch, const char* loss_name, const char* mae_name) {
    const torch::Tensor y = this->forward(batch), target = batch.target();
    this->log(loss_name, loss_of(y, target), prog_bar);
    this->log(mae_name, at::l1_loss(y, target.to(y.scalar_type()).view_as(y)), prog_bar);
  }
  bool l1_;
};

namespace detail {
template <class S, class Net>
levin_component task_component(const char* id, const char* summary) {
  levin_component c = model<S>(id, summary);
  if constexpr (has_defaults<Net>::value) c.defaults = Net::defaults;
  if constexpr (has_aliases<Net>::value) c.aliases = Net::aliases;
  return c;
}
}  // namespace detail

// The component of a network that tells classes apart, and of one that predicts numbers.
template <class Net>
levin_component classifier(const char* id, const char* summary) {
  return detail::task_component<ClassificationTask<Net>, Net>(id, summary);
}
template <class Net>
levin_component regressor(const char* id, const char* summary) {
  return detail::task_component<RegressionTask<Net>, Net>(id, summary);
}

}  // namespace levin
#pragma GCC visibility pop
