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

class [[gnu::visibility("default")]] Trainer;

// Uses the calling thread for the length of a call. A program may have several Trainers. Calls of different Trainers at
// the same time share LibTorch's random generators and settings. All functions throw TrainerError.
class Trainer {
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

  // Trains the model, an object of a class that derives from levin::Model. ckpt_path: a checkpoint to resume from.
  // Returns the values that callbacks see at the end, such as "val_loss". The model must outlive the next fit or the
  // Trainer's last save_checkpoint.
  template <class M>
  RunMetrics fit(M& model, const Data& train, const Data& val = {}, const std::string& ckpt_path = "") {
    return run(Stage::fit, model, {train.rows(), val.rows(), nullptr, nullptr}, ckpt_path);
  }
  // Evaluate the model as it is, or with the weights of a checkpoint. Return the values logged for the epoch.
  template <class M>
  RunMetrics validate(M& model, const Data& data, const std::string& ckpt_path = "") {
    return run(Stage::validate, model, {nullptr, data.rows(), nullptr, nullptr}, ckpt_path);
  }
  template <class M>
  RunMetrics test(M& model, const Data& data, const std::string& ckpt_path = "") {
    return run(Stage::test, model, {nullptr, nullptr, data.rows(), nullptr}, ckpt_path);
  }
  // Returns the first tensor that predict_step returned for each batch, on the CPU.
  template <class M>
  std::vector<torch::Tensor> predict(M& model, const Data& data, const std::string& ckpt_path = "") {
    run(Stage::predict, model, {nullptr, nullptr, nullptr, data.rows()}, ckpt_path);
    return predictions();
  }
  // The same with a data module from a plugin file: trainer.fit(net, levin::Component{"mnist", {{"dir", "data"}}}).
  template <class M>
  RunMetrics fit(M& model, const Component& data, const std::string& ckpt_path = "") {
    return run(Stage::fit, model, {}, ckpt_path, &data);
  }
  template <class M>
  RunMetrics validate(M& model, const Component& data, const std::string& ckpt_path = "") {
    return run(Stage::validate, model, {}, ckpt_path, &data);
  }
  template <class M>
  RunMetrics test(M& model, const Component& data, const std::string& ckpt_path = "") {
    return run(Stage::test, model, {}, ckpt_path, &data);
  }
  template <class M>
  std::vector<torch::Tensor> predict(M& model, const Component& data, const std::string& ckpt_path = "") {
    run(Stage::predict, model, {}, ckpt_path, &data);
    return predictions();
  }
  // Saves the state at the end of the last fit, as the host does: weights, optimizers, schedules, callbacks.
  void save_checkpoint(const std::string& path);
  // Returns the folder of the last run, or "" if it had none.
  const std::string& run_dir() const;

 private:
  struct Impl;
  using Rows = std::array<std::shared_ptr<detail::RowSource>, LEVIN_SPLITS>;

  template <class M>
  RunMetrics run(Stage stage, M& model, Rows rows, const std::string& ckpt_path, const Component* data = nullptr) {
    static_assert(std::is_base_of_v<detail::ModelBase, M>, "a model of the Trainer derives from levin::Model");
    auto own = std::make_shared<detail::ProgramPlugin>();
    own->objects = {&model, std::move(rows), listeners_};
    own->template describe<M>();
    struct Lent {
      detail::ModelBase& model;
      ~Lent() { detail::lend_to(model, nullptr, DataInfo()); }
    } const lent{model};
    return run(stage, own, data, ckpt_path);
  }
  RunMetrics run(Stage stage, const std::shared_ptr<detail::ProgramPlugin>& own, const Component* data,
                 const std::string& ckpt_path);
  std::vector<torch::Tensor> predictions();

  std::vector<detail::HookListener> listeners_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace levin
#pragma GCC visibility pop
