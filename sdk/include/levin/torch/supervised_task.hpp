// Supervised tasks: add a loss, metrics, an optimizer and a schedule to a network, which only needs forward.
//
//   struct Net : torch::nn::Module { explicit Net(const levin::DataInfo&); torch::Tensor forward(torch::Tensor); };
//   LEVIN_PLUGIN("org.me.net", "1.0.0", "MIT", levin::classifier<Net>("net", "My network"))
//
// The network, or its TORCH_MODULE holder, is constructed from (Args, DataInfo), (DataInfo), (Args) or nothing. Its
// options, if it declares any, are added to the task's. Parameters have the network's names. A network may declare
//   static constexpr levin::TaskDefaults task_defaults{...};    other defaults of the task's options
//   torch::Tensor forward(torch::Tensor, torch::Tensor mask);    in addition; it gets the data's field `mask`, if any
//   double default_lr(int64_t batch_size) const;               the learning rate if TaskDefaults::lr is "null"
//   torch::Tensor loss(const Output&, const torch::Tensor& target);    (levin/torch/network_loss.hpp)
//   void configure_optimizers(levin::OptimPlan&);    instead of the task's options
// and hooks, overrides and all other members of a model except steps. A network that derives from levin::Model may also
// declare steps, which replace the task's, and has log and data.
// The model summary shows the sizes of the modules that forward calls through levin::watch. Its example input is a row
// of zeros, or the result of the network's example_input().
#pragma once
#include <type_traits>

#include "levin/torch/network_rules.hpp"
#include "levin/torch/network_task.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

namespace detail {
template <class Net, class>
using AnyTask = NetworkTask<Net>;
// Reports only the first broken rule.
template <template <class, class> class Task, class Net, class Loss, bool Made = false>
levin_component task_component(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<torch::nn::Module, Net>) {
    static_assert(std::is_base_of_v<torch::nn::Module, Net>,
                  "the network of a classifier or regressor derives from torch::nn::Module");
  } else if constexpr (!is_publicly<Net, torch::nn::Module>) {
    LEVIN_DEMAND_PUBLIC(Net, torch::nn::Module, "torch::nn::Module");
  } else if constexpr (!network_is_sound<Net, Made>()) {
    demand_network<Net, Made>();
  } else if constexpr (!loss_is_sound<Net, Loss>()) {
    demand_loss<Net, Loss>();
  } else if constexpr (!model_is_sound<Net>()) {
    demand_model<Net>();
  } else {
    c = model<Task<Net, Loss>>(id, summary);
    if constexpr (has_defaults<Net>::value) c.defaults = Net::defaults;
    if constexpr (has_aliases<Net>::value) c.aliases = Net::aliases;
  }
  return c;
}
}  // namespace detail

// Return the component of a network for classification or regression. Loss: a class with
// torch::Tensor operator()(const torch::Tensor& prediction, const torch::Tensor& target), which replaces --model.loss.
template <class Net, class Loss = void>
levin_component classifier(const char* id, const char* summary) {
  return detail::task_component<ClassificationTask, typename detail::Unheld<Net>::type, Loss>(id, summary);
}
template <class Net, class Loss = void>
levin_component regressor(const char* id, const char* summary) {
  return detail::task_component<RegressionTask, typename detail::Unheld<Net>::type, Loss>(id, summary);
}
// Returns the component of a network for any of these tasks, chosen by --model.task or the target of the data.
template <class Net>
levin_component network(const char* id, const char* summary) {
  return detail::task_component<detail::AnyTask, typename detail::Unheld<Net>::type, void>(id, summary);
}

}  // namespace levin
#pragma GCC visibility pop
