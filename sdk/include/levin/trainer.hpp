// The Trainer in your own program (docs/own-program.md). Link Levin::trainer: find_package(Levin COMPONENTS trainer),
// or pkg-config levin_trainer.
//
//   struct Net : levin::Model {
//     torch::Tensor training_step(const levin::Batch& batch);
//     void configure_optimizers(levin::OptimPlan& plan);
//   };
//   Net net;
//   levin::Trainer trainer({.max_epochs = 3});
//   trainer.on_train_epoch_end([](const levin::Event& event) { ... });
//   const levin::RunMetrics metrics = trainer.fit(net, {x, y}, {x_val, y_val});
//   trainer.save_checkpoint("net.ckpt");
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/trainer/options.hpp"
#include "levin/trainer/program_plugin.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

using RunMetrics = std::map<std::string, double>;  // the last logged values by name

// Uses the calling thread for the length of a call. A program may have several Trainers. Calls of different Trainers at
// the same time share LibTorch's random generators and settings. All functions throw TrainerError.
class LEVIN_EXPORT Trainer {
 public:
  // The options are checked by the first call that trains or evaluates.
  explicit Trainer(TrainerOptions options = {});
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // Adds a function that is called at a hook, such as trainer.on_train_epoch_end([](const levin::Event& event) {...}).
  // docs/hooks.md says when each hook is called. To be called before the runs that call it.
#define LEVIN_TRAINER_HOOK(NAME, bit, member)                       \
  Trainer& member(detail::HookFunction function) {                  \
    listeners_.push_back({LEVIN_HOOK_##NAME, std::move(function)}); \
    return *this;                                                   \
  }
  LEVIN_FOR_EACH_CALLBACK_HOOK(LEVIN_TRAINER_HOOK)
#undef LEVIN_TRAINER_HOOK

  // Adds a callback: an object of a class that derives from levin::Callback. It has to outlive the runs and the last
  // save_checkpoint.
  template <class T>
  Trainer& add_callback(T& callback) {
    static_assert(std::is_base_of_v<Callback, T>, "a callback derives from levin::Callback");
    std::string id = detail::id_of_class<T>();
    const auto taken = [&](const std::string& name) {
      return std::any_of(callbacks_.begin(), callbacks_.end(), [&](const auto& own) { return own.id == name; });
    };
    for (int n = 2; taken(id); ++n) id = detail::id_of_class<T>() + "_" + std::to_string(n);
    callbacks_.push_back({id, &callback, &detail::lent_callback<T>});
    return *this;
  }

  // Trains the model: an object of a class that derives from levin::Model, which must outlive the next fit or the
  // Trainer's last save_checkpoint; or levin::Classification or levin::Regression with a torch::nn::Module. ckpt_path:
  // a checkpoint to resume from. Returns the values that callbacks see at the end, such as "val_loss".
  template <class M>
  RunMetrics fit(M&& model, const Data& train, const Data& val = {}, const std::string& ckpt_path = "") {
    return run(Stage::fit, plugin(std::forward<M>(model), {train.rows(), val.rows(), nullptr, nullptr}), ckpt_path);
  }
  // Evaluate the model as it is, or with the weights of a checkpoint. Return the values logged for the epoch.
  template <class M>
  RunMetrics validate(M&& model, const Data& data, const std::string& ckpt_path = "") {
    return run(Stage::validate, plugin(std::forward<M>(model), {nullptr, data.rows(), nullptr, nullptr}), ckpt_path);
  }
  template <class M>
  RunMetrics test(M&& model, const Data& data, const std::string& ckpt_path = "") {
    return run(Stage::test, plugin(std::forward<M>(model), {nullptr, nullptr, data.rows(), nullptr}), ckpt_path);
  }
  // Returns the first tensor that predict_step returned for each batch, on the CPU.
  template <class M>
  std::vector<torch::Tensor> predict(M&& model, const Data& data, const std::string& ckpt_path = "") {
    run(Stage::predict, plugin(std::forward<M>(model), {nullptr, nullptr, nullptr, data.rows()}), ckpt_path);
    return predictions();
  }
  // The same with a data module: of a plugin file, trainer.fit(net, levin::Component{"mnist", {{"dir", "data"}}}), or
  // an object of your own.
  template <class M>
  RunMetrics fit(M&& model, const DataSource& data, const std::string& ckpt_path = "") {
    return run(Stage::fit, plugin(std::forward<M>(model), data), ckpt_path, data.file());
  }
  template <class M>
  RunMetrics validate(M&& model, const DataSource& data, const std::string& ckpt_path = "") {
    return run(Stage::validate, plugin(std::forward<M>(model), data), ckpt_path, data.file());
  }
  template <class M>
  RunMetrics test(M&& model, const DataSource& data, const std::string& ckpt_path = "") {
    return run(Stage::test, plugin(std::forward<M>(model), data), ckpt_path, data.file());
  }
  template <class M>
  std::vector<torch::Tensor> predict(M&& model, const DataSource& data, const std::string& ckpt_path = "") {
    run(Stage::predict, plugin(std::forward<M>(model), data), ckpt_path, data.file());
    return predictions();
  }
  // Saves the state at the end of the last fit, or in a hook that of the running fit, as the host does: weights,
  // optimizers, schedules, callbacks. The file is durable when the call returns.
  void save_checkpoint(const std::string& path);
  // Returns the folder of the last run, or "" if it had none.
  const std::string& run_dir() const;

 private:
  struct Impl;
  using Rows = std::array<std::shared_ptr<detail::RowSource>, LEVIN_SPLITS>;
  using Plugin = std::shared_ptr<detail::ProgramPlugin>;

  template <class M>
  Plugin plugin(M&& model, const Rows& rows) const {
    Plugin own = std::make_shared<detail::ProgramPlugin>();
    own->set_model(std::forward<M>(model));
    own->set_rows(rows);
    return finished(std::move(own));
  }
  template <class M>
  Plugin plugin(M&& model, const DataSource& data) const {
    Plugin own = std::make_shared<detail::ProgramPlugin>();
    own->set_model(std::forward<M>(model));
    if (data.object()) own->set_data(data);
    return finished(std::move(own));
  }
  Plugin finished(Plugin own) const {
    for (const detail::OwnCallback& callback : callbacks_) own->add_callback(callback);
    own->set_functions(listeners_);
    own->finish();
    return own;
  }
  RunMetrics run(Stage stage, const Plugin& own, const std::string& ckpt_path, const Component* data = nullptr);
  std::vector<torch::Tensor> predictions();

  std::vector<detail::HookListener> listeners_;
  std::vector<detail::OwnCallback> callbacks_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace levin
#pragma GCC visibility pop
