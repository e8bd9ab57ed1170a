// The task of any network: classification, multi-label classification or regression, by option or target, or
// contrastive pre-training by option.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "levin/torch/classification_task.hpp"
#include "levin/torch/contrastive_task.hpp"
#include "levin/torch/multilabel_task.hpp"
#include "levin/torch/regression_task.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

inline constexpr const char* network_tasks[] = {"auto",       "classification", "multilabel",
                                                "regression", "simclr",         nullptr};
inline constexpr const char* network_losses[] = {"cross_entropy", "nll",   "bce",  "mse", "l1",
                                                 "smooth_l1",     "huber", nullptr};

// Returns the task that the option chooses for the target of the data.
inline std::string task_for(const Args& args, const DataInfo& data) {
  const std::string task = args.text("task");
  const bool classes = data.target().classes > 0;
  if (task == "auto") return classes ? "classification" : "regression";
  if (task == "regression" && classes)
    throw Error(LEVIN_E_INVALID, "--model.task regression: the target of the data is a class");
  return task;
}

inline void require_loss(const Args& args, const std::string& task, const char* const* known) {
  const std::string loss = args.text("loss");
  std::string names;
  for (; *known; ++known) {
    if (loss == *known) return;
    names += (names.empty() ? "" : ", ") + std::string(*known);
  }
  if (!loss.empty())
    throw Error(LEVIN_E_INVALID, "--model.loss " + loss + ": the task is " + task + ", for which there are: " + names);
}

// Refuses options that the task would ignore. label_smoothing: its default.
inline void refuse_options_of_classes(const Args& args, const std::string& task, const char* label_smoothing) {
  const auto refuse = [&](const char* option) {
    throw Error(LEVIN_E_INVALID, "--model." + std::string(option) + " is for classes, and the task is " + task);
  };
  if (args.number("label_smoothing") != std::strtod(label_smoothing, nullptr)) refuse("label_smoothing");
  if (task != "multilabel" && !args.text("class_weights").empty()) refuse("class_weights");
}

// Refuses options of tasks with a target. loss: its default.
inline void refuse_options_of_targets(const Args& args, const char* loss) {
  const auto refuse = [](const char* option, const char* instead) {
    throw Error(LEVIN_E_INVALID, "--model." + std::string(option) + " is for tasks with a target; " + instead);
  };
  const std::string given = args.text("loss"), own = loss ? loss : "";
  if (!given.empty() && '"' + given + '"' != own) refuse("loss", "the loss of the task simclr is NT-Xent");
  if (!args.text("metrics").empty()) refuse("metrics", "the task simclr logs loss and acc");
}

// Adds the options of a task that are not in `out` yet.
inline void add_missing(std::vector<levin_option>& out, std::pair<const levin_option*, uint32_t> table) {
  for (uint32_t i = 0; i < table.second; ++i) {
    const auto has_name = [&](const levin_option& o) { return std::strcmp(o.name, table.first[i].name) == 0; };
    if (std::none_of(out.begin(), out.end(), has_name)) out.push_back(table.first[i]);
  }
}

}  // namespace detail

// Has the options of all tasks, and `task`. `loss` is null by default, unless the network has its own default:
// cross_entropy for classes, bce for labels, mse for numbers.
template <class Net>
class NetworkTask : public detail::ModelBase {
  using Any = std::variant<ClassificationTask<Net>, MultilabelTask<Net>, RegressionTask<Net>, ContrastiveTask<Net>>;

 public:
  explicit NetworkTask(const Args& args) : task_(made(args, data())) {}

  Net& module() {
    return std::visit([](auto& task) -> Net& { return task.module(); }, task_);
  }
  void set_run(levin_run* run) {
    ModelBase::set_run(run);
    std::visit([run](auto& task) { task.set_run(run); }, task_);
  }
  void configure_optimizers(OptimPlan& plan) {
    std::visit([&](auto& task) { task.configure_optimizers(plan); }, task_);
  }
  torch::Tensor example_input() const {
    return std::visit([](const auto& task) { return task.example_input(); }, task_);
  }

  Outputs training_step(const Batch& batch) {
    return std::visit([&](auto& task) { return task.training_step(batch); }, task_);
  }
  Outputs validation_step(const Batch& batch, int64_t batch_idx, int64_t loader) {
    return std::visit([&](auto& task) { return task.validation_step(batch, batch_idx, loader); }, task_);
  }
  Outputs test_step(const Batch& batch, int64_t batch_idx, int64_t loader) {
    return std::visit([&](auto& task) { return task.test_step(batch, batch_idx, loader); }, task_);
  }
  Outputs predict_step(const Batch& batch) {
    return std::visit([&](auto& task) -> Outputs { return {outputs(task.predict_step(batch))}; }, task_);
  }

  static std::vector<levin_option> options_of_tasks() {
    constexpr const char* default_loss = detail::task_defaults_of<Net>().loss;
    std::vector<levin_option> out = {
        choice("task", "auto",
               "auto = classification if the target is a class, else regression; simclr = pre-training with two views",
               detail::network_tasks)};
    detail::add_missing(out, ClassificationTask<Net>::option_table());
    detail::add_missing(out, MultilabelTask<Net>::option_table());
    detail::add_missing(out, RegressionTask<Net>::option_table());
    detail::add_missing(out, ContrastiveTask<Net>::option_table());
    const auto loss = std::find_if(out.begin(), out.end(), [](const auto& o) { return !std::strcmp(o.name, "loss"); });
    *loss = with(choice("loss", default_loss ? default_loss : "null",
                        "loss function; null = cross_entropy for classes, bce for labels, mse for numbers",
                        detail::network_losses),
                 LEVIN_OPT_NULLABLE);
    return out;
  }
  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all = options_of_tasks();
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 private:
  static Outputs outputs(Outputs of_step) { return of_step; }
  static Outputs outputs(torch::Tensor prediction) { return {std::move(prediction), {}}; }
  static constexpr bool by_option = detail::own_loss<Net, void>() == detail::OwnLoss::none;
  static Any made(const Args& args, const DataInfo& data) {
    if (args.text("task") == "simclr") return contrastive(args, data);
    const std::string task = detail::task_for(args, data);
    if (task == "classification") {
      detail::require_loss(args, task, detail::classification_losses);
      return Any(std::in_place_type<ClassificationTask<Net>>, args);
    }
    detail::Teacher::refuse(args, task);
    if constexpr (by_option)
      detail::refuse_options_of_classes(args, task, detail::task_defaults_of<Net>().label_smoothing);
    if (task == "multilabel") {
      detail::require_loss(args, task, detail::multilabel_losses);
      return Any(std::in_place_type<MultilabelTask<Net>>, args);
    }
    detail::require_loss(args, task, detail::regression_losses);
    return Any(std::in_place_type<RegressionTask<Net>>, args);
  }
  static Any contrastive(const Args& args, const DataInfo& data) {
    detail::Teacher::refuse(args, "simclr");
    if constexpr (by_option) {
      constexpr TaskDefaults defaults = detail::task_defaults_of<Net>();
      detail::refuse_options_of_classes(args, "simclr", defaults.label_smoothing);
      detail::refuse_options_of_targets(args, defaults.loss);
    }
    return Any(std::in_place_type<ContrastiveTask<Net>>, args, data);
  }

  Any task_;
};

}  // namespace levin
#pragma GCC visibility pop
