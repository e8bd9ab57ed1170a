// Models for levin::Trainer made of a plain torch::nn::Module: the options and results of levin::classifier and
// levin::regressor (levin/torch/supervised_task.hpp).
//
//   torch::nn::Sequential net(torch::nn::Linear(4, 16), torch::nn::ReLU(), torch::nn::Linear(16, 3));
//   levin::Classification model(net, 3, {{"optimizer", "adam"}, {"lr", 0.01}});
//   trainer.fit(model, {x, y});
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "levin/trainer/loan.hpp"
#include "levin/trainer/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The module type of a module, a holder made by TORCH_MODULE, or a shared_ptr.
template <class M>
struct ModuleOf : Unheld<M> {};
template <class Net>
struct ModuleOf<std::shared_ptr<Net>> {
  using type = Net;
};

template <class Net>
class PlainModel {
  static_assert(std::is_base_of_v<torch::nn::Module, Net>,
                "levin::Classification and levin::Regression take a torch::nn::Module");
  static_assert(!is_model<Net>, "a class that derives from levin::Model is a model already: give it to the Trainer");

 public:
  std::map<std::string, Value> options;  // --model.NAME of levin::classifier or levin::regressor
  // Replaces the option `loss`. target is the batch's second field.
  std::function<torch::Tensor(const torch::Tensor& prediction, const torch::Tensor& target)> loss;
  // Replaces the options of optimizer and schedule.
  std::function<void(OptimPlan& plan)> configure_optimizers;

  const std::shared_ptr<Net>& network() const { return network_; }

 protected:
  PlainModel(std::shared_ptr<Net> network, std::map<std::string, Value> given)
      : options(std::move(given)), network_(std::move(network)) {}
  template <class M>
  static std::shared_ptr<Net> shared(M&& module) {
    if constexpr (std::is_base_of_v<torch::nn::Module, std::decay_t<M>>) {
      static_assert(std::is_lvalue_reference_v<M>, "the module has to live as long as the model that is made of it");
      return std::shared_ptr<Net>(std::shared_ptr<Net>(), &module);  // the program owns it
    } else if constexpr (std::is_convertible_v<M, std::shared_ptr<Net>>) {
      return module;
    } else {
      return module.ptr();
    }
  }

 private:
  std::shared_ptr<Net> network_;
};

// Task<Net, Loss> with the network and the functions of a PlainModel of the program.
template <template <class, class> class Task>
struct OfProgram {
  template <class Net, class Loss>
  class Model : public Task<Net, Loss> {
    using Plain = PlainModel<Net>;

   public:
    explicit Model(const Args& args)
        : Model(args, *static_cast<Plain*>(program_objects(creating().host).model.get())) {}
    void configure_optimizers(OptimPlan& plan) {
      if (plain_.configure_optimizers)
        plain_.configure_optimizers(plan);
      else
        Task<Net, Loss>::configure_optimizers(plan);
    }

   private:
    Model(const Args& args, const Plain& plain)
        : Task<Net, Loss>(args, plain.network(), loss_of(plain), program_objects(creating().host).classes),
          plain_(plain) {}
    static const Loss* loss_of(const Plain& plain) {
      if constexpr (std::is_void_v<Loss>)
        return nullptr;
      else
        return &plain.loss;
    }
    const Plain& plain_;
  };
};

template <template <class, class> class Task, class Net>
levin_component plain_component(const PlainModel<Net>& model, const char* id) {
  constexpr const char* summary = "the program's network";
  using Loss = decltype(model.loss);
  if (model.loss)
    return task_component<OfProgram<Task>::template Model, Net, std::remove_const_t<Loss>, true>(id, summary);
  return task_component<OfProgram<Task>::template Model, Net, void, true>(id, summary);
}

}  // namespace detail

// A network that predicts scores [B, classes]; targets are class indices [B]. `module` is a torch::nn::Module whose
// forward takes the input, which has to outlive the runs and the last save_checkpoint, or a holder or shared_ptr of
// one.
template <class Net>
class Classification : public detail::PlainModel<Net> {
 public:
  template <class M>
  Classification(M&& module, int64_t classes, std::map<std::string, Value> given = {})
      : detail::PlainModel<Net>(Classification::shared(std::forward<M>(module)), std::move(given)), classes_(classes) {}
  int64_t classes() const { return classes_; }
  levin_component component(const char* id) const { return detail::plain_component<ClassificationTask>(*this, id); }

 private:
  int64_t classes_;
};
template <class M>
Classification(M&&, int64_t, std::map<std::string, Value> = {})
    -> Classification<typename detail::ModuleOf<std::decay_t<M>>::type>;

// A network whose prediction has as many elements as the target.
template <class Net>
class Regression : public detail::PlainModel<Net> {
 public:
  template <class M>
  explicit Regression(M&& module, std::map<std::string, Value> given = {})
      : detail::PlainModel<Net>(Regression::shared(std::forward<M>(module)), std::move(given)) {}
  int64_t classes() const { return 0; }
  levin_component component(const char* id) const { return detail::plain_component<RegressionTask>(*this, id); }
};
template <class M>
Regression(M&&, std::map<std::string, Value> = {}) -> Regression<typename detail::ModuleOf<std::decay_t<M>>::type>;

}  // namespace levin
#pragma GCC visibility pop
