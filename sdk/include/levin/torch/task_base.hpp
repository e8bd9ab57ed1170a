// The common base of classifiers and regressors: the network, its loss, and its optimizer and schedule from options.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/detail/task_options.hpp"
#include "levin/torch/initialise.hpp"
#include "levin/torch/network_loss.hpp"
#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Returns the option metrics with a metric that the task has in any case.
inline std::string with_metric(const std::string& list, const std::string& name) {
  const std::vector<std::string> given = listed_words(list);
  return std::find(given.begin(), given.end(), name) != given.end() ? list : name + " " + list;
}

LEVIN_DETECT(task_defaults)
LEVIN_DETECT(default_lr)

template <class Net>
constexpr TaskDefaults task_defaults_of() {
  if constexpr (has_task_defaults<Net>::value)
    return Net::task_defaults;
  else
    return {};
}

// Replaces the optimizer's options if the network configures the optimizer.
struct NoTaskOptions {
  NoTaskOptions(const Args&, const TaskDefaults&) {}
  static std::vector<levin_option> declared(const TaskDefaults&) { return {}; }
};

// True if the network also takes a mask: forward(input, mask).
template <class Net, class = void>
struct takes_mask : std::false_type {};
template <class Net>
struct takes_mask<Net, std::void_t<decltype(std::declval<Net&>().forward(
                           std::declval<torch::Tensor&>(), std::declval<torch::Tensor&>()))>> : std::true_type {};

// Returns the index of the field `mask`, which says what of a padded input counts; nullopt = the data has none.
inline std::optional<size_t> mask_of(const DataInfo& data) {
  for (size_t i = 0; i < data.fields().size(); ++i)
    if (data.fields()[i].name == "mask" && data.fields()[i].role == LEVIN_ROLE_OTHER) return i;
  return std::nullopt;
}

// Returns the tensor of a field of the data. By its name if the batch has names, as their order may differ.
inline torch::Tensor tensor_of(const Batch& batch, const DataInfo& data, size_t field) {
  return batch.raw()->names ? batch[data.fields()[field].name] : batch[field];
}

template <class Net, class Loss>
class SupervisedTask : public ModelBase {
 public:
  static constexpr OwnLoss own = own_loss<Net, Loss>();
  static constexpr bool by_options = !has_configure_optimizers<Net>::value;
  using Options = std::conditional_t<by_options, TaskOptions, NoTaskOptions>;

  explicit SupervisedTask(const Args& args)
      : options_(args, task_defaults_of<Net>()), net_(make_network<Net>(args, this->data())) {
    prepare(args);
  }
  // The task of a network that exists already. classes: 0 = the data says how many there are.
  SupervisedTask(const Args& args, std::shared_ptr<Net> net, const Loss* loss, int64_t classes)
      : options_(args, task_defaults_of<Net>()), net_(std::move(net)), classes_(classes) {
    if constexpr (!std::is_void_v<Loss>) loss_ = *loss;
    prepare(args);
  }

  Net& module() { return *net_; }
  void set_run(levin_run* run) {
    ModelBase::set_run(run);
    if constexpr (is_model<Net>) net_->set_run(run);
  }
  void configure_optimizers([[maybe_unused]] OptimPlan& plan) {
    if constexpr (by_options) {
      if (options_.chooses_lr()) choose_lr(plan);
      options_.configure(plan, parameters());
    }
  }
  torch::Tensor example_input() const {
    if constexpr (has_example_input<Net>::value)
      return net_->example_input();
    else
      return example_of(this->data());
  }

 protected:
  // Returns the options of all tasks, of this task, and of the network.
  static std::vector<levin_option> joined(const std::vector<levin_option>& own_options) {
    std::vector<levin_option> out = Options::declared(task_defaults_of<Net>());
    out.insert(out.end(), own_options.begin(), own_options.end());
    const auto [options, n] = network_options<Net>();
    out.insert(out.end(), options, options + n);
    return out;
  }

  int64_t classes() const { return classes_ > 0 ? classes_ : this->data().classes(); }
  Output<Net> forward(const Batch& batch) {
    torch::Tensor input = batch.input();
    if constexpr (takes_mask<Net>::value)
      if (mask_) {
        torch::Tensor mask = tensor_of(batch, this->data(), *mask_);
        return net_->forward(input, mask);
      }
    return net_->forward(input);
  }
  torch::Tensor prediction(const Output<Net>& output) {
    if constexpr (says_prediction<Net>)
      return net_->prediction(output);
    else
      return first_tensor(output);
  }
  // by_option(prediction, target): the loss if there is no custom loss.
  template <class F>
  torch::Tensor training_loss(const Output<Net>& output, const Batch& batch, F&& by_option) {
    if constexpr (own != OwnLoss::whole && has_loss_weights<Net>::value)
      return weighted_loss<Net>(output, [&](const torch::Tensor& y) { return loss_of_one(y, batch, by_option); });
    else
      return loss(output, batch, by_option);
  }
  template <class F>
  torch::Tensor loss(const Output<Net>& output, const Batch& batch, F&& by_option) {
    if constexpr (own == OwnLoss::whole)
      return whole_loss(output, batch);
    else
      return loss_of_one(prediction(output), batch, by_option);
  }
  // Returns an undefined tensor if the data has no target, for example for an autoencoder with a custom loss.
  torch::Tensor target(const Batch& batch) const {
    for (const Field& field : this->data().fields())
      if (field.role == LEVIN_ROLE_TARGET) return batch.target();
    return {};
  }

 private:
  void prepare([[maybe_unused]] const Args& args) {
    if constexpr (by_options) {
      initialise(*net_, args.text("init"));
      freeze();
    }
  }
  void freeze() {
    const auto named = net_->named_parameters();
    const std::vector<bool> frozen = options_.parameters().frozen(named.keys());
    for (size_t i = 0; i < frozen.size(); ++i)
      if (frozen[i]) named[i].value().set_requires_grad(false);
  }
  // A tied parameter is trained under the first of its names.
  std::vector<ParameterFacts> parameters() const {
    std::vector<ParameterFacts> out;
    std::set<const void*> seen;
    for (const auto& each : net_->named_parameters()) {
      const bool is_first = seen.insert(each.value().unsafeGetTensorImpl()).second;
      out.push_back({each.key(), each.value().dim() < 2, is_first && each.value().requires_grad()});
    }
    return out;
  }
  void choose_lr([[maybe_unused]] const OptimPlan& plan) {
    if constexpr (has_default_lr<Net>::value) {
      const int64_t rows = plan.run().batch_size();
      const double lr = net_->default_lr(rows);
      options_.choose_lr(lr);
      std::ostringstream text;
      text << "the learning rate is " << lr << ", by the network and batches of " << rows << " rows";
      this->info(text.str());
    } else {
      throw Error(LEVIN_E_INVALID, "--model.lr is null, and the network has no default_lr(batch size)");
    }
  }
  template <class F>
  torch::Tensor loss_of_one(const torch::Tensor& y, const Batch& batch, F& by_option) {
    if constexpr (own == OwnLoss::none)
      return by_option(y, batch.target());
    else if constexpr (std::is_void_v<Loss>)
      return net_->loss(y, batch.target());
    else
      return loss_(y, batch.target());
  }
  torch::Tensor whole_loss(const Output<Net>& output, const Batch& batch) {
    if constexpr (!std::is_void_v<Loss>)
      return loss_(output, batch.target());
    else if constexpr (can_call<Net, name_loss, Takes<const Output<Net>&, const torch::Tensor&>>::value)
      return net_->loss(output, batch.target());
    else
      return net_->loss(output, batch);
  }

  Options options_;
  std::shared_ptr<Net> net_;
  int64_t classes_ = 0;
  const std::optional<size_t> mask_ = mask_of(this->data());
  std::conditional_t<std::is_void_v<Loss>, std::tuple<>, Loss> loss_;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
