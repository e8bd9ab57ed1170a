// Systems: a loss, metrics, an optimizer and a schedule around a network that has nothing but forward.
//
//   struct Net : torch::nn::Module { explicit Net(const levin::DataInfo&); torch::Tensor forward(torch::Tensor); };
//   LEVIN_PLUGIN("org.me.net", "1.0.0", "MIT", levin::classifier<Net>("net", "My network"))
//
// The network is made from (Args, DataInfo), (DataInfo), (Args) or nothing; its options, if it declares any, come
// behind the system's. Parameter names are the network's own. A network may set the system's defaults with
//   static constexpr levin::SystemDefaults system{...}.
#pragma once
#include <ATen/ops/argmax.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/softmax.h>

#include "levin/metrics.hpp"
#include "levin/model_table.hpp"

namespace levin {

// Defaults of a system's options, as JSON text.
struct SystemDefaults {
  const char* loss = nullptr;  // nullptr: cross_entropy, or mse
  const char* optimizer = "\"adamw\"";
  const char* lr = "0.001";
  const char* momentum = "0.9";
  const char* nesterov = "false";
  const char* weight_decay = "0.0";
  const char* scheduler = "\"none\"";
  const char* scheduler_options = "{}";
  const char* label_smoothing = "0.0";
};

namespace detail {

LEVIN_DETECT(system)

template <class Net>
constexpr SystemDefaults system_defaults() {
  if constexpr (has_system<Net>::value)
    return Net::system;
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

// The JSON text of an option that is an object; throws Error for another value.
inline std::string object_of(const Args& args, const char* option) {
  const std::string text = args.text(option);
  if (!text.empty() && text.front() != '{')
    throw Error(LEVIN_E_INVALID,
                "--model." + std::string(option) + " is " + text + ", not a JSON object: {\"name\": value}");
  return text;
}

// Optimizer and schedule by options.
template <class Net>
class System : public ModelBase {
 public:
  explicit System(const Args& o)
      : optimizer_(o.text("optimizer")),
        optimizer_options_(object_of(o, "optimizer_options")),
        scheduler_(o.text("scheduler")),
        scheduler_options_(object_of(o, "scheduler_options")),
        lr_(o.number("lr")),
        momentum_(o.number("momentum")),
        weight_decay_(o.number("weight_decay")),
        nesterov_(o.flag("nesterov")),
        net_(make_network<Net>(o, this->data())),
        x_(this->data().fields().empty() ? 0 : this->data().index_of(LEVIN_ROLE_INPUT)) {}

  Net& module() { return *net_; }

  void configure_optimizers(OptimPlan& plan) {
    std::vector<Setting> options = {{"lr", lr_}, {"weight_decay", weight_decay_}};
    if (optimizer_ == "sgd") {
      options.emplace_back("momentum", momentum_);
      options.emplace_back("nesterov", nesterov_);
    } else if (optimizer_ == "rmsprop") {
      options.emplace_back("momentum", momentum_);
    }
    plan.optimizer_json(optimizer_, settings(options, optimizer_options_));
    if (scheduler_ == "none") return;
    std::vector<Setting> schedule;
    if (scheduler_ == "one_cycle") {
      schedule = {{"max_lr", lr_}, {"total_steps", plan.total_steps()}};
      plan.scheduler_json(scheduler_, settings(schedule, scheduler_options_), Interval::step);
      return;
    }
    if (scheduler_ == "cosine_annealing") schedule = {{"T_max", plan.run().integer("max_epochs")}};
    plan.scheduler_json(scheduler_, settings(schedule, scheduler_options_), Interval::epoch, 0,
                        scheduler_ == "reduce_on_plateau" ? "val_loss" : "");
  }

  static std::vector<levin_option> common_options() {
    constexpr SystemDefaults d = system_defaults<Net>();
    return {text("optimizer", d.optimizer, "sgd, adam, adamw, adagrad, rmsprop, or a plugin's"),
            with(number("lr", d.lr, "learning rate; the highest one of one_cycle", 0, 1e6), LEVIN_OPT_TUNABLE),
            with(number("momentum", d.momentum, "of sgd and rmsprop", 0, 1), LEVIN_OPT_TUNABLE),
            flag("nesterov", d.nesterov, "of sgd"),
            with(number("weight_decay", d.weight_decay, "L2 penalty, decoupled in adamw", 0, 1e6), LEVIN_OPT_TUNABLE),
            json("optimizer_options", "{}", "further options of the optimizer, a JSON object"),
            text("scheduler", d.scheduler, "none, one_cycle, cosine_annealing, step, multi_step, exponential, ..."),
            json("scheduler_options", d.scheduler_options, "options of the scheduler, a JSON object")};
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
  torch::Tensor forward(const Batch& batch) { return net_->forward(batch[x_]); }
  torch::Tensor target(const Batch& batch) {
    if (!y_known_) y_ = this->data().index_of(LEVIN_ROLE_TARGET), y_known_ = true;
    return batch[y_];
  }

 private:
  std::string optimizer_, optimizer_options_, scheduler_, scheduler_options_;
  double lr_, momentum_, weight_decay_;
  bool nesterov_;
  std::shared_ptr<Net> net_;
  size_t x_, y_ = 0;
  bool y_known_ = false;
};

inline constexpr const char* classification_losses[] = {"cross_entropy", "nll", nullptr};
inline constexpr const char* regression_losses[] = {"mse", "l1", nullptr};

}  // namespace detail

// Logs train_loss, val_loss and val_acc, test_loss and test_acc, and the metrics that are asked for; predicts class [B]
// and probabilities [B, classes].
template <class Net>
class ClassificationSystem : public detail::System<Net> {
 public:
  explicit ClassificationSystem(const Args& o)
      : detail::System<Net>(o),
        nll_(o.text("loss") == "nll"),
        smoothing_(o.number("label_smoothing")),
        metrics_(o.text("metrics"), this->data().classes()) {}

  torch::Tensor training_step(const Batch& batch) {
    const torch::Tensor loss = loss_of(this->forward(batch), this->target(batch), smoothing_);
    this->log("train_loss", loss, prog_bar);
    return loss;
  }
  void validation_step(const Batch& batch, int64_t, int64_t dataloader_idx) { evaluate(batch, dataloader_idx, "val_"); }
  void test_step(const Batch& batch, int64_t, int64_t dataloader_idx) { evaluate(batch, dataloader_idx, "test_"); }
  Outputs predict_step(const Batch& batch) {
    const torch::Tensor y = this->forward(batch);
    return {y.argmax(1), {{"probabilities", nll_ ? y.exp() : y.softmax(1)}}};
  }

  static std::pair<const levin_option*, uint32_t> option_table() {
    constexpr SystemDefaults d = detail::system_defaults<Net>();
    std::vector<levin_option> own = detail::System<Net>::common_options();
    own.push_back(choice("loss", d.loss ? d.loss : "\"cross_entropy\"", "nll: the network returns log-probabilities",
                         detail::classification_losses));
    own.push_back(text("metrics", "\"\"",
                       "also logged of validation and test: macro_accuracy, precision, recall, f1, top5, auroc"));
    own.push_back(
        with(number("label_smoothing", d.label_smoothing, "of cross_entropy while training", 0, 1), LEVIN_OPT_TUNABLE));
    return detail::System<Net>::joined(std::move(own));
  }

 private:
  torch::Tensor loss_of(const torch::Tensor& y, const torch::Tensor& target, double smoothing) {
    if (nll_) return at::nll_loss(y, target);
    return at::cross_entropy_loss(y, target, {}, at::Reduction::Mean, -100, smoothing);
  }
  void evaluate(const Batch& batch, int64_t loader, const std::string& prefix) {
    const torch::Tensor y = this->forward(batch), target = this->target(batch);
    this->log((prefix + "loss").c_str(), loss_of(y, target, 0), prog_bar);
    this->log((prefix + "acc").c_str(), y.argmax(1).eq(target).to(at::kFloat).mean(), prog_bar);
    metrics_.update(prefix, loader, y, target,
                    [this](const char* name, metrics::Metric& metric) { metrics::log(*this, name, metric); });
  }
  bool nll_;
  double smoothing_;
  metrics::MetricSet metrics_;
};

// Logs train_loss, val_loss and val_mae, test_loss and test_mae; predicts what the network returns.
template <class Net>
class RegressionSystem : public detail::System<Net> {
 public:
  explicit RegressionSystem(const Args& o) : detail::System<Net>(o), l1_(o.text("loss") == "l1") {}

  torch::Tensor training_step(const Batch& batch) {
    const torch::Tensor loss = loss_of(this->forward(batch), this->target(batch));
    this->log("train_loss", loss, prog_bar);
    return loss;
  }
  void validation_step(const Batch& batch) { evaluate(batch, "val_loss", "val_mae"); }
  void test_step(const Batch& batch) { evaluate(batch, "test_loss", "test_mae"); }
  torch::Tensor predict_step(const Batch& batch) { return this->forward(batch); }

  static std::pair<const levin_option*, uint32_t> option_table() {
    constexpr SystemDefaults d = detail::system_defaults<Net>();
    std::vector<levin_option> own = detail::System<Net>::common_options();
    own.push_back(choice("loss", d.loss ? d.loss : "\"mse\"", "mean over all numbers", detail::regression_losses));
    return detail::System<Net>::joined(std::move(own));
  }

 private:
  torch::Tensor loss_of(const torch::Tensor& y, torch::Tensor target) {
    target = target.to(y.scalar_type()).view_as(y);
    return l1_ ? at::l1_loss(y, target) : at::mse_loss(y, target);
  }
  void evaluate(const Batch& batch, const char* loss_name, const char* mae_name) {
    const torch::Tensor y = this->forward(batch), target = this->target(batch);
    this->log(loss_name, loss_of(y, target), prog_bar);
    this->log(mae_name, at::l1_loss(y, target.to(y.scalar_type()).view_as(y)), prog_bar);
  }
  bool l1_;
};

namespace detail {
template <class S, class Net>
levin_component system_component(const char* id, const char* summary) {
  levin_component c = model<S>(id, summary);
  if constexpr (has_defaults<Net>::value) c.defaults = Net::defaults;
  if constexpr (has_aliases<Net>::value) c.aliases = Net::aliases;
  return c;
}
}  // namespace detail

template <class Net>
levin_component classifier(const char* id, const char* summary) {
  return detail::system_component<ClassificationSystem<Net>, Net>(id, summary);
}
template <class Net>
levin_component regressor(const char* id, const char* summary) {
  return detail::system_component<RegressionSystem<Net>, Net>(id, summary);
}

}  // namespace levin
